import type { SettingsTexts } from '../../texts.js'

export const channelNotifications: SettingsTexts['channelNotifications'] = {
  topic: name => `Thema „${name}“`,
  policies: {
    inherit: 'Wie der Kanal',
    muted: 'Stummgeschaltet',
    unmuted: 'Nicht stumm, auch wenn der Kanal stummgeschaltet ist',
    followed: 'Gefolgt',
  },
  channel: 'In diesem Kanal',
  meaning:
    'Es gelten die Einstellungen deines Kontos, bis du hier etwas anderes wählst. Deine Wahl bleibt dann bestehen.',
  muted:
    'Dieser Kanal ist stummgeschaltet: Nur Themen, deren Stummschaltung du aufhebst oder denen du folgst, benachrichtigen dich.',
  notSubscribed: 'Abonniere den Kanal, um seine Benachrichtigungen zu wählen.',
  desktop_notifications: 'Desktop-Benachrichtigungen über alle Nachrichten',
  audible_notifications: 'Ein Ton bei jeder Nachricht',
  push_notifications: 'Benachrichtigungen über alle Nachrichten auf deinen Geräten',
  email_notifications: 'E-Mails über alle verpassten Nachrichten',
  wildcard_mentions_notify: 'Erwähnungen aller gelten als Erwähnung von dir',
  asAccountOn: 'Wie in deinem Konto (an)',
  asAccountOff: 'Wie in deinem Konto (aus)',
  on: 'An',
  off: 'Aus',
}
