import type { CustomEmoji } from '../../../../shared/resources/custom-emoji.js'
import { activeEmoji, emojiCharacter } from '../../state/emoji.js'
import type { Chat } from '../chat.js'

export interface NamedEmoji {
  readonly code: string
  readonly name: string
  readonly names: readonly string[]
  /** Empty for a custom emoji. */
  readonly character: string
  readonly custom?: CustomEmoji
}

const known = new WeakMap<Chat, Promise<ReadonlyMap<string, NamedEmoji>>>()

/** All emoji with a name in the server's list, by code; fetched once. @throws {RequestError} */
export function emojiByCode(chat: Chat): Promise<ReadonlyMap<string, NamedEmoji>> {
  const asked = known.get(chat) ?? readEmoji(chat)
  known.set(chat, asked)
  asked.catch(() => known.delete(chat))
  return asked
}

async function readEmoji(chat: Chat): Promise<ReadonlyMap<string, NamedEmoji>> {
  const { code_to_names } = (await chat.ask('GET', '/emoji_data')) as { code_to_names: Record<string, string[]> }
  const entries = Object.entries(code_to_names).flatMap(([code, names]): [string, NamedEmoji][] => {
    const character = emojiCharacter(code)
    return character && names[0] ? [[code, { code, name: names[0], names, character }]] : []
  })
  return new Map(entries)
}

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
