import type { SettingsTexts } from '../../texts.js'

export const ownAccount: SettingsTexts['ownAccount'] = {
  addressMeaning: 'An die neue Adresse geht eine E-Mail mit einem Link. Deine Adresse bleibt, bis du ihn öffnest.',
  newAddress: 'Neue E-Mail-Adresse',
  changeAddress: 'Adresse ändern',
  addressMailed: address => `Der Link ist an ${address} unterwegs. Er gilt einen Tag.`,
  leavingMeaning:
    'Du und deine Bots werden überall abgemeldet und können sich nicht mehr anmelden. Was du geschrieben hast, bleibt. Nur Administratoren können das Konto reaktivieren.',
  leave: 'Dein Konto deaktivieren',
}
