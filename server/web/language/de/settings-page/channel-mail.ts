import type { SettingsTexts } from '../../texts.js'

export const channelMail: SettingsTexts['channelMail'] = {
  title: 'E-Mail-Adresse',
  meaning:
    'E-Mails an diese Adresse werden Nachrichten im Kanal, mit dem Betreff als Thema. Sie wurde für dich angelegt: Wer sie kennt, kann hier schreiben.',
  renew: 'Neue Adresse',
  reallyRenew: 'Wirklich: diese wird ungültig',
}
