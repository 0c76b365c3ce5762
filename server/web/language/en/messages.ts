import { counterOf } from '../counter.js'

const count = counterOf('en')

/** A view of messages, with its head and its menu. */
export const feed = {
  label: 'Messages',
  newLine: 'New',
  muted: 'A message of a person you have muted.',
  show: 'Show',
  empty: 'No messages here yet.',
  newest: 'Newest',
  missing: 'The message of this link was deleted, or you may not see it.',
  keepsUnread: 'Messages stay unread until you leave this view.',
  readAgain: 'Mark as read again',
  unknownChannel: 'This channel does not exist, or it is private and you are not subscribed to it.',
  showChannels: 'Show all channels',
  isTyping: (name: string) => `${name} is typing …`,
  areTyping: (first: string, second: string) => `${first} and ${second} are typing …`,
  severalTyping: 'Several people are typing …',
  more: 'More',
  read: {
    all: 'Mark everything as read',
    channel: 'Mark channel as read',
    topic: 'Mark topic as read',
    direct: 'Mark conversation as read',
  },
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  newTopic: 'New topic',
  muteChannel: 'Mute channel',
  unmuteChannel: 'Unmute channel',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  allTopics: 'All topics',
  members: 'Members',
  channelSettings: 'Channel settings',
  muteTopic: 'Mute topic',
  unmuteTopic: 'Unmute topic',
  follow: 'Follow topic',
  unfollow: 'Unfollow topic',
  followed: 'Followed',
  resolve: 'Resolve topic',
  reopen: 'Reopen topic',
  resolved: 'Resolved',
  moveTopic: 'Move topic …',
  renameTopic: 'Rename topic',
  topicName: 'Name of the topic',
}

/** One message: its marks, its buttons and its menu. */
export const message = {
  edited: 'edited',
  showChanges: 'Show the changes',
  starred: 'Starred',
  isStarred: 'starred',
  picture: 'picture',
  spoiler: 'Spoiler',
  tools: 'Message',
  menu: 'Actions on the message',
  thumbsUp: 'React with thumbs up',
  react: 'React with another emoji',
  star: 'Star',
  unstar: 'Remove star',
  quote: 'Reply with quote',
  move: 'Move',
  moveHint: 'Move to another topic or channel',
  edit: 'Edit',
  more: 'More actions',
  showInPlace: 'Show in conversation',
  forward: 'Forward',
  copyLink: 'Copy link',
  copyText: 'Copy text',
  markUnread: 'Mark as unread',
  markUnreadFrom: 'Mark unread from here',
  about: 'Readers and changes',
  delete: 'Delete',
  reallyDelete: 'Really delete',
  editBox: 'Edit message',
  earlier: 'Earlier versions',
  reactions: 'Reactions',
  reactionHint: (people: string, emoji: string) => `${people}: ${emoji}`,
  reaction: (emoji: string, n: number, people: string) => count(n, { other: n => `${emoji}, ${n}: ${people}` }),
}

/** A message that is not sent yet. */
export const unsent = {
  label: 'Your message, not sent yet',
  status: {
    waiting: 'Waiting',
    sending: 'Sending',
    unsure: 'Perhaps sent',
    again: 'Looking whether it arrived',
    refused: 'Not sent',
  },
  lost: 'The connection broke while this was sent, some time ago. It is not among your newest messages here, so it has probably not arrived.',
  sendAgain: 'Send again',
  discard: 'Discard',
  notKept: 'This browser cannot keep unsent messages: they are lost if you close the window.',
}

/** Polls and to-do lists. */
export const widget = {
  poll: 'Poll',
  pollLabel: (question: string) => `Poll: ${question}`,
  votes: (option: string, n: number) =>
    count(n, { one: n => `${option}, ${n} vote`, other: n => `${option}, ${n} votes` }),
  newOption: 'New option',
  tasks: 'Task list',
  tasksLabel: (title: string) => `To-do list: ${title}`,
  newTask: 'New task',
}
