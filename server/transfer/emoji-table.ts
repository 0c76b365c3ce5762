import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'

/** How a server names the standard emoji: its names mean other pictures than the same names here, so each goes by its code. */
export class EmojiTable {
  private readonly codes: ReadonlyMap<string, string>

  /** `file`: names by code, below `server/transfer/`; from emojibase-data 17.0.0. */
  constructor(file: string) {
    const names = JSON.parse(readFileSync(join(projectRoot, 'server/transfer', file), 'utf8')) as Record<
      string,
      string[]
    >
    this.codes = new Map(
      Object.entries(names).flatMap(([code, own]) => own.map((name): [string, string] => [name, code])),
    )
  }

  /** The code, as the API spells it; undefined: no standard emoji has the name. */
  codeOf(name: string): string | undefined {
    return this.codes.get(name)
  }

  /** The character, as a picture. */
  characterOf(name: string): string | undefined {
    const code = this.codeOf(name)
    if (code === undefined) return undefined
    const character = String.fromCodePoint(...code.split('-').map(part => Number.parseInt(part, 16)))
    return /^\p{Emoji}$/u.test(character) && !/\p{Emoji_Presentation}/u.test(character)
      ? `${character}\ufe0f`
      : character
  }
}
