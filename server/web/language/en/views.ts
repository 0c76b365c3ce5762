import { counterOf } from '../counter.js'

const count = counterOf('en')

/** Titles of views. */
export const view = {
  inbox: 'Inbox',
  recent: 'Recent conversations',
  all: 'All messages',
  mentions: 'Mentions',
  starred: 'Starred',
  scheduled: 'Scheduled',
  search: (words: string) => `“${words}”`,
  notes: 'Notes to yourself',
  connecting: 'Connecting …',
  away: (moment: string) => `Not connected: you see the state of ${moment}. What you write is sent later.`,
  unreachable: 'The page cannot reach the server. It begins as soon as there is a connection.',
}

/** The list beside the views. */
export const sidebar = {
  label: 'Channels and conversations',
  jump: 'Go to …',
  jumpKey: (key: string) => `Go to … (${key} K)`,
  channels: 'Channels',
  browse: 'Browse channels',
  pinned: 'Pinned',
  muted: 'Muted',
  private: 'Private channel',
  web: 'Open to the web',
  public: 'Public channel',
  topics: 'Topics',
  topicsFailed: (reason: string) => `Topics: ${reason}`,
  more: (n: number) => count(n, { other: n => `${n} more` }),
  direct: 'Direct messages',
  newDirect: 'New direct message',
  filter: 'Filter',
  filterLabel: 'Filter channels and conversations',
  onlyUnread: 'Only what is unread',
  notFound: 'Nothing in the list has this name.',
  allRead: 'Everything in the list is read.',
  quiet: (n: number) => count(n, { one: n => `${n} quiet channel`, other: n => `${n} quiet channels` }),
  lessQuiet: 'Hide quiet channels',
  readSection: 'Mark all as read',
  newFolder: 'New folder',
  makeFolder: 'Create folder',
  editFolder: 'Edit folder',
  allFolders: 'All folders',
  aboutFolders: 'All people see folders, and the channels that they may see in them.',
  skip: 'Skip the list',
  about: (name: string) => `About ${name}`,
  menu: (name: string) => `Actions on ${name}`,
  unread: ' unread',
  state: { connecting: 'Connecting …', live: 'Connected', resuming: 'Resuming …', closed: 'Signed out' },
  toSend: (n: number) => count(n, { other: n => `${n} to send` }),
  rate: (perSecond: string) => `${perSecond} events per second, of the last five seconds`,
  delay: (ms: string) => `${ms} ms from a request to its answer, of the last five`,
}

/** The user's own menu. */
export const ownMenu = {
  label: 'Your menu',
  settings: 'Settings',
  status: 'Your status',
  quiet: 'Do not disturb',
  drafts: 'Drafts',
  picture: 'Your picture',
  keys: 'Keyboard',
  emoji: 'Custom emoji',
  organization: 'Organization',
  server: 'Server status',
  signOut: 'Sign out',
  unsent: (n: number) =>
    count(n, {
      one: n => `${n} message is not sent. Signing out discards it.`,
      other: n => `${n} messages are not sent. Signing out discards them.`,
    }),
}

/** Views that list conversations. */
export const home = {
  back: 'Back to the list',
  everything: 'You have read everything.',
  unreadDirect: 'Unread direct messages',
  unreadIn: (folder: string) => `Unread in ${folder}`,
  direct: 'Direct messages',
  followed: 'Followed',
  isFollowed: 'followed',
  mention: 'Mentions you',
  isMention: 'mentions you',
  readAll: 'Mark all as read',
  readOne: (name: string) => `Mark ${name} as read`,
  read: 'Mark as read',
  older: 'Show older ones',
  empty: 'No messages here yet.',
}

/** The mode of reading. */
export const readThrough = {
  title: 'Reading what is unread',
  begin: 'Read one after the other',
  messages: (n: number) => count(n, { one: n => `${n} message unread.`, other: n => `${n} messages unread.` }),
  conversations: (n: number) =>
    n === 0
      ? 'This is the last conversation.'
      : count(n, { one: n => `${n} more conversation.`, other: n => `${n} more conversations.` }),
  next: 'Next',
  skip: 'Later',
  end: 'End reading',
  onlySkipped: (n: number) =>
    count(n, {
      one: n => `You have read everything but ${n} conversation.`,
      other: n => `You have read everything but ${n} conversations.`,
    }),
}

/** A conversation beside the open view. */
export const beside = {
  title: 'Conversation beside',
  open: 'Open beside',
  close: 'Close this conversation',
}

/** The panel of people. */
export const people = {
  title: 'People',
  hide: 'Hide people',
  filter: 'Filter people',
  inConversation: 'In this conversation',
  inChannel: 'In this channel',
  add: 'Add people …',
  others: 'Others',
  all: 'All people',
  nothing: 'No one has such a name.',
  find: 'Find others by name …',
  more: (n: number) => count(n, { other: n => `${n} more` }),
  you: 'you',
  presence: { active: 'Active now', idle: 'Idle', offline: 'Away' },
}

/** Desktop notifications. */
export const notification = {
  direct: 'New direct message',
  from: (sender: string, place: string) => `${sender} (${place})`,
  newMessages: (n: number) => count(n, { one: n => `${n} new message`, other: n => `${n} new messages` }),
}

/** Short notices at the edge of the page. */
export const notice = {
  refused: (reason: string) => `The server refused: ${reason}`,
  nothingUnread: 'Nothing is unread.',
  nothingUnreadHere: 'Nothing is unread here.',
  markedRead: (n: number) =>
    count(n, { one: n => `${n} message marked as read.`, other: n => `${n} messages marked as read.` }),
  unreadAgain: (n: number) =>
    count(n, { one: n => `${n} message unread again.`, other: n => `${n} messages unread again.` }),
  markingRead: (done: string, all: number) => count(all, { other: n => `${done} of ${n} messages …` }),
  undo: 'Undo',
  otherLanguage: (name: string) => `Your account is set to ${name}.`,
  speak: (name: string) => `Use ${name}`,
  linkCopied: 'The link is copied.',
  textCopied: 'The text is copied.',
  noClipboard: 'The browser allows copying only over HTTPS.',
  notSubscribed: 'Only messages of channels to which you are subscribed can be unread.',
  draftHere: (reason: string) => `The draft is only in this window: ${reason}`,
  pinMoved: (name: string, place: string, all: string) => `${name} is now pinned at place ${place} of ${all}.`,
  sectionAbove: (name: string, other: string) => `${name} is now above ${other}.`,
  sectionBelow: (name: string, other: string) => `${name} is now below ${other}.`,
  folderChanged: (channel: string, folder: string) => `For all people, ${channel} is now in ${folder}.`,
  folderMade: (name: string) =>
    `The folder ${name} appears in the list with its first channel: drag one there, or choose the folder in the settings of a channel.`,
  nowhere: 'This link leads nowhere in this page.',
}
