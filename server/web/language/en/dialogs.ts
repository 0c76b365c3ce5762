import { counterOf } from '../counter.js'

const count = counterOf('en')

/** The dialog that goes to a place or forwards to it. */
export const jump = {
  title: 'Go to',
  forward: 'Forward to',
  label: 'Channel, topic, person or command',
  placeholder: 'Channel, topic, person, action, setting …',
  /** What one types to see the topics of a channel, and what it does. */
  example: 'channel >',
  exampleMeaning: 'lists the topics of a channel.',
  choices: 'Places and commands',
  nothing: 'Nothing has this name.',
  notSubscribed: 'not subscribed',
  inChannel: (channel: string) => `in ${channel}`,
  markAllRead: 'Mark everything as read',
  /** What an action is for. */
  ofMessage: (sender: string) => `message of ${sender}`,
}

/** The dialog about a message. */
export const about = {
  title: 'About this message',
  readBy: 'Read by',
  noReader: 'No other person yet.',
  changes: 'Changes',
  change: (name: string, time: string) => `${name}, ${time}`,
  moved: (name: string, time: string, topic: string) => `${name}, ${time}, moved to ${topic}`,
}

/** The profile of a person. */
export const person = {
  role: {
    100: 'Owner',
    200: 'Administrator',
    300: 'Moderator',
    400: 'Member',
    600: 'Guest',
  },
  bot: 'Bot',
  deactivated: 'Deactivated',
  localTime: 'Local time',
  timeInZone: (time: string, zone: string) => `${time} (${zone})`,
  email: 'Email',
  owner: 'Owner',
  joined: 'Joined',
  groups: 'Groups',
  write: 'Write',
  writeNote: 'Write a note to yourself',
  mute: 'Mute',
  editProfile: 'Edit profile',
}

/** The choice of people for a direct message. */
export const newDirect = {
  title: 'New direct message',
  find: 'Find people',
  write: 'Write',
}

/** Pictures: those of messages, the user's own, and those of the organization. */
export const pictures = {
  before: 'Picture before',
  next: 'Next picture',
  place: (at: string, n: number) => count(n, { other: n => `${at} of ${n}` }),
  download: 'Download',
  larger: 'Larger',
  smaller: 'Smaller',
  huge: 'a smaller copy; the download has all pixels',
  own: 'Your picture',
  another: 'Another picture',
  crop: 'Which part of the picture?',
  size: 'Size',
  across: 'Left and right',
  down: 'Up and down',
  takePart: 'Use this part',
  takeWhole: 'Use the whole picture',
  icon: 'Icon',
  iconHint: 'Square: beside the name, when signing in, and in the browser’s tab.',
  logo: 'Logo',
  logoHint: 'Wide: in place of icon and name.',
  night: 'Logo for dark colours',
  nightHint: 'Without it, the other logo serves for dark colours too.',
  removeOne: (picture: string) => `Remove: ${picture}`,
}

/** The custom emoji of the organization. */
export const customEmoji = {
  example: 'party_llama',
  picture: 'Picture',
  add: 'Add emoji',
  list: 'Emoji',
  none: 'There are none yet.',
  addedBy: (name: string) => `added by ${name}`,
}

/** The drafts of the user. */
export const drafts = {
  title: 'Drafts',
  none: 'What you write and do not send is kept here.',
  noRecipient: 'No recipient',
  open: (place: string) => `Open the draft for ${place}`,
  delete: (place: string) => `Delete the draft for ${place}`,
}

/** Texts saved for reuse. */
export const snippets = {
  title: 'Snippets',
  none: 'No snippet yet.',
  new: 'New snippet',
  nowhere: 'Open a topic or a conversation first.',
  change: (title: string) => `Change ${title}`,
  delete: (title: string) => `Delete ${title}`,
  titleField: 'Title',
  text: 'Text',
  tooLong: (by: number) =>
    count(by, {
      one: n => `The text is too long by ${n} character.`,
      other: n => `The text is too long by ${n} characters.`,
    }),
}

/** The user's own status. */
export const ownStatus = {
  title: 'Your status',
  text: 'Text',
  chooseEmoji: 'Choose an emoji',
  emoji: (name: string) => `Emoji: ${name}`,
  clear: 'Clear',
}
