import type { Linkifier, Names } from '../../server/text/markdown.js'
import { noNames, onlyOne } from '../../server/text/names.js'

const people = [
  { user_id: 5, full_name: 'Ann Lee', is_active: true },
  { user_id: 6, full_name: 'Bo', is_active: true },
  { user_id: 7, full_name: 'Same Name', is_active: true },
  { user_id: 8, full_name: 'Same Name', is_active: true },
  { user_id: 9, full_name: '<b>"x"</b>', is_active: true },
]
const channels = [
  { stream_id: 1, name: 'ops room' },
  { stream_id: 2, name: 'a.b & <c>' },
]

/** A small organization for texts to refer to. */
export const someNames: Names = {
  ...noNames,
  userById: id => people.find(person => person.user_id === id),
  userByName: name => onlyOne(people.filter(person => person.full_name.toLowerCase() === name.toLowerCase())),
  groupByName: name => (name === 'devs' ? { id: 3, display_name: 'devs', is_active: true } : undefined),
  channelByName: name => channels.find(channel => channel.name === name),
  customEmoji: name => (name === 'party_blob' ? { id: '12', source_url: '/user_avatars/2/emoji/12.png' } : undefined),
  emptyTopicName: 'general chat',
}

/** A linkifier that links what a pattern matches to a prefix and the match. */
export function linkifier(pattern: RegExp, prefix: string): Linkifier {
  return {
    find: text =>
      Array.from(text.matchAll(pattern), match => ({
        start: match.index,
        end: match.index + match[0].length,
        url: prefix + match[0].slice(1),
      })),
  }
}
