/** Messages and reminders of a later time. */
export const scheduled = {
  sendTo: (place: string) => `To ${place}`,
  times: {
    hour: 'In an hour',
    evening: 'This evening',
    tomorrow: 'Tomorrow morning',
    monday: 'Monday morning',
  },
  ownTime: (zone: string) => `Date and time (${zone})`,
  schedule: 'Schedule',
  remind: 'Remind me',
  note: 'Note',
  noTime: 'Choose a date and a time.',
  isScheduled: (time: string) => `It is sent ${time}.`,
  isReminded: (time: string) => `You are reminded ${time}.`,
  show: 'Show',
  messages: 'Scheduled messages',
  reminders: 'Reminders',
  none: 'Messages that you send later, and messages of which you want to be reminded, are listed here.',
  failed:
    'It could not be sent. The notification bot has written to you why. Give it another time, send it now, or delete it.',
  reminderFailed: 'The server could not remind you at this time.',
  editTitle: 'Edit the scheduled message',
  text: 'Message',
  edit: 'Edit',
  editOne: (place: string) => `Edit the message to ${place}`,
  sendNow: 'Send now',
  sendOneNow: (place: string) => `Send now: the message to ${place}`,
  deleteOne: (place: string) => `Delete the message to ${place}`,
  reallyDelete: 'Really delete?',
  showMessage: 'Show the message',
  deleteReminder: 'Delete the reminder',
}

/** When the user wants no notifications, and when the own status ends. */
export const quiet = {
  meaning: 'Until the time that you choose there are no notifications on your devices and no sounds.',
  until: (time: string) => `There are no notifications until ${time}.`,
  end: 'End now',
  times: {
    hour: 'For an hour',
    evening: 'Until this evening',
    tomorrow: 'Until tomorrow morning',
    monday: 'Until Monday morning',
  },
  hours: (zone: string) => `Every day (${zone})`,
  from: 'Quiet from',
  to: 'until',
  noHours: 'No quiet hours',
  statusEnds: 'Ends',
  statusStays: 'When I change it',
}
