/** Of which messages of a channel and of a topic the user is notified. */
export const channelNotifications = {
  topic: (name: string) => `Topic “${name}”`,
  policies: {
    inherit: 'As the channel',
    muted: 'Muted',
    unmuted: 'Unmuted, also while the channel is muted',
    followed: 'Followed',
  },
  channel: 'In this channel',
  meaning: 'The settings of your account count until you choose something else here. Your choice then stays.',
  muted: 'This channel is muted: only topics that you unmute or follow notify you.',
  notSubscribed: 'Subscribe to the channel to choose of what it notifies you.',
  desktop_notifications: 'Desktop notifications of all messages',
  audible_notifications: 'A sound for any message',
  push_notifications: 'Notifications of all messages on your devices',
  email_notifications: 'Mails about all missed messages',
  wildcard_mentions_notify: 'Mentions of all count as mentions of you',
  asAccountOn: 'As your account (on)',
  asAccountOff: 'As your account (off)',
  on: 'On',
  off: 'Off',
}
