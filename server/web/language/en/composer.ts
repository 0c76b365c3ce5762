import { counterOf } from '../counter.js'

const count = counterOf('en')

/** Writing messages. */
export const composer = {
  to: (place: string) => `Message ${place}`,
  toChannel: (channel: string) => `Message #${channel}`,
  topic: 'Topic',
  newTopic: 'New topic',
  nowhere: 'Open a topic or a conversation to write, or begin one:',
  obstacle: {
    archived: 'This channel is archived: it takes no new messages.',
    access: 'You cannot write in this channel.',
    permission: 'Only some people may write in this channel.',
    deactivated: 'A person of this conversation has no account any more.',
  },
  direct: 'Direct message',
  tooLong: (by: number) =>
    count(by, {
      one: n => `The message is too long by ${n} character.`,
      other: n => `The message is too long by ${n} characters.`,
    }),
  needsTopic: 'Give the topic a name first.',
  suggestions: 'Suggestions',
  attach: 'Attach files',
  dropHere: (label: string) => `Drop to attach: ${label}`,
  files: 'Files',
  emoji: 'Emoji',
  mention: 'Mention',
  snippets: 'Snippets',
  preview: 'Preview',
  send: 'Send',
  later: 'Send later',
  /** What stands between and behind the keys Enter and Shift Enter. */
  hintSends: 'sends,',
  hintNewLine: 'new line',
  formatting: 'Formatting',
  format: {
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    link: 'Link',
    code: 'Code',
    quote: 'Quote',
    list: 'List',
    numbers: 'Numbered list',
  },
  withKey: (title: string, key: string) => `${title} (${key})`,
  left: (n: number) => count(n, { other: n => `${n} left` }),
  over: (n: number) => count(n, { other: n => `Too long by ${n}` }),
  looksLikeCode: 'This looks like code.',
  makeCode: 'Make it a code block',
  leaveIt: 'Leave as it is',
  becomesPoll: 'Sent, this becomes a poll.',
  becomesTasks: 'Sent, this becomes a to-do list.',
  attached: 'Attached files',
  tooManyFiles: (n: number) =>
    count(n, {
      one: n => `A message takes 50 files: ${n} of yours was left out.`,
      other: n => `A message takes 50 files: ${n} of yours were left out.`,
    }),
  filesUnderWay: 'Not all files have arrived yet: send the message when they have.',
  retryUpload: (file: string) => `Try again: ${file}`,
  upload: (file: string) => `Upload of ${file}`,
  cancelUpload: (file: string) => `Cancel the upload of ${file}`,
  uploadFailed: (file: string, reason: string) => `${file}: ${reason}`,
  connectionBroke: 'The connection broke: try again.',
  uploadCancelled: 'The upload was cancelled.',
  wildcards: { all: 'all subscribers of this channel', topic: 'all participants of this topic' },
  /** Behind a name that is about to be mentioned: a private channel or a conversation, then a public channel. */
  cannotSee: 'cannot see this',
  notSubscribed: 'not in this channel',
  commands: {
    me: 'says what you do',
    poll: 'question, then one option per line',
    todo: 'title, then one task per line',
  },
}

/** The choice of an emoji. */
export const emoji = {
  title: 'Emoji',
  search: 'Search emoji',
  found: 'Found',
  ours: 'This organization',
  groups: {
    smileys: 'Smileys',
    people: 'People',
    nature: 'Animals and nature',
    food: 'Food',
    travel: 'Travel',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
}
