import type { Template } from '../template.js'

export const newPassword: Template<'new_password'> = {
  en: ({ password }, { organization }) => ({
    subject: `Your new password at ${organization}`,
    body: [`Your new password at ${organization} is ${password}`, 'Please change it soon.'],
  }),
  de: ({ password }, { organization }) => ({
    subject: `Dein neues Passwort bei ${organization}`,
    body: [`Dein neues Passwort bei ${organization} ist ${password}`, 'Bitte ändere es bald.'],
  }),
}
