import type { SettingsTexts } from '../../texts.js'

export const scheduled: SettingsTexts['scheduled'] = {
  sendTo: place => `An ${place}`,
  times: {
    hour: 'In einer Stunde',
    evening: 'Heute Abend',
    tomorrow: 'Morgen früh',
    monday: 'Montag früh',
  },
  ownTime: zone => `Datum und Uhrzeit (${zone})`,
  schedule: 'Planen',
  remind: 'Erinnern',
  note: 'Notiz',
  noTime: 'Wähle ein Datum und eine Uhrzeit.',
  isScheduled: time => `Sie wird ${time} gesendet.`,
  isReminded: time => `Du wirst ${time} erinnert.`,
  show: 'Anzeigen',
  messages: 'Geplante Nachrichten',
  reminders: 'Erinnerungen',
  none: 'Hier stehen deine geplanten Nachrichten und die Nachrichten, an die du erinnert werden willst.',
  failed:
    'Sie konnte nicht gesendet werden. Der Benachrichtigungs-Bot hat dir geschrieben, warum. Gib ihr eine andere Zeit, sende sie jetzt, oder lösche sie.',
  reminderFailed: 'Der Server konnte dich zu dieser Zeit nicht erinnern.',
  editTitle: 'Geplante Nachricht bearbeiten',
  text: 'Nachricht',
  edit: 'Bearbeiten',
  editOne: place => `Nachricht an ${place} bearbeiten`,
  sendNow: 'Jetzt senden',
  sendOneNow: place => `Nachricht an ${place} jetzt senden`,
  deleteOne: place => `Nachricht an ${place} löschen`,
  reallyDelete: 'Wirklich löschen?',
  showMessage: 'Nachricht zeigen',
  deleteReminder: 'Erinnerung löschen',
}

export const quiet: SettingsTexts['quiet'] = {
  meaning: 'Bis dahin bekommst du auf deinen Geräten keine Benachrichtigungen und hörst keine Töne.',
  until: time => `Bis ${time} bekommst du keine Benachrichtigungen.`,
  end: 'Jetzt beenden',
  times: {
    hour: 'Für eine Stunde',
    evening: 'Bis heute Abend',
    tomorrow: 'Bis morgen früh',
    monday: 'Bis Montag früh',
  },
  hours: zone => `Jeden Tag (${zone})`,
  from: 'Ruhe ab',
  to: 'bis',
  noHours: 'Keine Ruhezeit',
  statusEnds: 'Endet',
  statusStays: 'Wenn ich ihn ändere',
}
