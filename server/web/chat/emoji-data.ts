import type { CustomEmoji } from '../../../shared/resources/custom-emoji.js'
import { emojiCharacter } from '../state/emoji.js'

type Ask = (method: string, path: string) => Promise<Record<string, unknown>>

export interface NamedEmoji {
  readonly code: string
  readonly name: string
  readonly names: readonly string[]
  /** Empty for a custom emoji. */
  readonly character: string
  readonly custom?: CustomEmoji
}

/** Returns a function for all emoji with a name in the server's list, by code, which fetches them once; it throws a RequestError. */
export function createEmojiNames(ask: Ask): () => Promise<ReadonlyMap<string, NamedEmoji>> {
  let known: Promise<ReadonlyMap<string, NamedEmoji>> | undefined
  return () => {
    known ??= readEmoji(ask).catch(error => {
      known = undefined
      throw error
    })
    return known
  }
}

async function readEmoji(ask: Ask): Promise<ReadonlyMap<string, NamedEmoji>> {
  const { code_to_names } = (await ask('GET', '/emoji_data')) as { code_to_names: Record<string, string[]> }
  const entries = Object.entries(code_to_names).flatMap(([code, names]): [string, NamedEmoji][] => {
    const character = emojiCharacter(code)
    return character && names[0] ? [[code, { code, name: names[0], names, character }]] : []
  })
  return new Map(entries)
}
