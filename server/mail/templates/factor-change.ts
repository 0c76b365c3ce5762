import type { FactorChange } from '../../job-types/mail.js'
import type { Template } from '../template.js'

type Says = Readonly<Record<FactorChange, (passkey: string) => string>>

const en: Says = {
  app_added: () => 'An authenticator app was added.',
  app_removed: () => 'The authenticator app was removed.',
  passkey_added: passkey => `The passkey “${passkey}” was added.`,
  passkey_removed: passkey => `The passkey “${passkey}” was removed.`,
  recovery_codes_renewed: () => 'There are new recovery codes. The former ones are not valid any more.',
  recovery_code_used: () => 'A recovery code was used to sign in. It is not valid any more.',
  all_removed: () =>
    'All second factors were removed. If the organization requires one, you set it up at the next sign-in.',
}

const de: Says = {
  app_added: () => 'Eine Authenticator-App wurde hinzugefügt.',
  app_removed: () => 'Die Authenticator-App wurde entfernt.',
  passkey_added: passkey => `Der Passkey „${passkey}“ wurde hinzugefügt.`,
  passkey_removed: passkey => `Der Passkey „${passkey}“ wurde entfernt.`,
  recovery_codes_renewed: () => 'Es gibt neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.',
  recovery_code_used: () => 'Ein Wiederherstellungscode wurde zur Anmeldung benutzt. Er gilt nicht mehr.',
  all_removed: () =>
    'Alle zweiten Faktoren wurden entfernt. Wenn die Organisation einen verlangt, richtest du ihn bei der nächsten Anmeldung ein.',
}

export const factorChange: Template<'factor_change'> = {
  en: ({ account, change, subject }, { organization }) => ({
    subject: `Signing in to ${organization} has changed`,
    body: [
      `This is about the account ${account} at ${organization}.`,
      en[change](subject),
      'If this was not you, change your password at once and tell an administrator of the organization.',
    ],
  }),
  de: ({ account, change, subject }, { organization }) => ({
    subject: `Die Anmeldung bei ${organization} hat sich geändert`,
    body: [
      `Es geht um das Konto ${account} bei ${organization}.`,
      de[change](subject),
      'Wenn du das nicht warst, ändere sofort dein Passwort und wende dich an eine Person, die die Organisation verwaltet.',
    ],
  }),
}
