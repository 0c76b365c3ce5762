import { counterOf } from '../../counter.js'

const count = counterOf('en')

/** The list of sections, the search, and what stands around each section. */
export const frame = {
  title: 'Settings',
  own: 'Your settings',
  organization: 'Organization',
  list: 'Sections',
  leave: 'Back to the chat',
  backToList: 'Back to the sections',
  find: 'Find a setting',
  found: (n: number) => count(n, { one: n => `${n} setting found`, other: n => `${n} settings found` }),
  nothing: 'No setting has these words.',
  onlyRead: 'You can read these settings. Administrators change them.',
  onlyOwners: 'Only owners change this.',
  noHolder: 'The server cannot do this yet.',
  utc: (offset: string) => `UTC${offset}`,
  now: (time: string) => `now ${time}`,
  findZone: 'City or region',
  zones: 'Places found',
  noZone: 'No time zone has this name.',
  hideZone: 'Do not show',
  onlyOwnersRead: 'You can read this. Owners change it.',
  moveUp: (one: string) => `Move up: ${one}`,
  moveDown: (one: string) => `Move down: ${one}`,
  edit: (one: string) => `Edit ${one}`,
  editShort: 'Edit',
  remove: (one: string) => `Remove ${one}`,
  reallyRemove: 'Really?',
  archive: 'Archive',
  tryText: 'Text of a message',
  tryExample: 'such as: fixed in #42',
  findChannel: 'Find a channel',
  createChannel: 'Create channel',
}
