import { activeEmoji } from '../../state/emoji.js'
import type { Chat } from '../chat.js'
import type { NamedEmoji } from '../emoji-data.js'

/** The custom emoji of the organization. */
export const customEmoji = ({ state }: Chat): NamedEmoji[] =>
  activeEmoji(state).map(custom => ({
    code: custom.id,
    name: custom.name,
    names: [custom.name],
    character: '',
    custom,
  }))

/** What a reaction or a status names of an emoji. */
export const namesOf = ({ name, code, custom }: NamedEmoji) => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: custom ? 'realm_emoji' : 'unicode_emoji',
})

/** Emoji whose name begins with the words first, then those whose name contains them. */
export function findEmoji(all: Iterable<NamedEmoji>, words: string, most: number): NamedEmoji[] {
  const wanted = words
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const begins: NamedEmoji[] = []
  const contains: NamedEmoji[] = []
  for (const emoji of all) {
    if (emoji.names.some(name => name.startsWith(wanted))) begins.push(emoji)
    else if (emoji.names.some(name => name.includes(wanted))) contains.push(emoji)
  }
  return [...begins, ...contains].slice(0, most)
}
