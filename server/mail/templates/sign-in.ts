import type { Template } from '../template.js'
import { longTimeIn } from '../times.js'

export const signIn: Template<'sign_in'> = {
  en: ({ account, address, device, time, zone }, { organization, url }) => ({
    subject: `New sign-in to ${organization}`,
    body: [
      `A person signed in to your account ${account} at ${organization}.`,
      `Time: ${longTimeIn(time, 'en', zone)}`,
      `Device: ${device === '' ? 'unknown' : device}`,
      `IP address: ${address}`,
      {
        label: 'If it was you, there is nothing to do. If not, set a new password',
        link: `${url}/accounts/password/reset/`,
      },
    ],
  }),
  de: ({ account, address, device, time, zone }, { organization, url }) => ({
    subject: `Neue Anmeldung bei ${organization}`,
    body: [
      `Eine Person hat sich bei ${organization} mit deinem Konto ${account} angemeldet.`,
      `Zeit: ${longTimeIn(time, 'de', zone)}`,
      `Gerät: ${device === '' ? 'unbekannt' : device}`,
      `IP-Adresse: ${address}`,
      {
        label: 'Warst du das, ist nichts zu tun. Wenn nicht, setze ein neues Passwort',
        link: `${url}/accounts/password/reset/`,
      },
    ],
  }),
}
