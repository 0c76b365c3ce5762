import { emojiCharacter } from '../../state/emoji.js'
import type { Chat } from '../chat.js'

export interface NamedEmoji {
  readonly code: string
  readonly name: string
  readonly names: readonly string[]
  readonly character: string
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
