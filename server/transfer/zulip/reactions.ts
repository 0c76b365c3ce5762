import { firstText, type Loose } from '../loose.js'
import type { SourceReaction } from '../source.js'
import { idOf } from './realm.js'

// Twelve bytes each, and eight in the index.
const most = 8_000_000

/** The reactions of all messages, which the archive keeps apart from these, in little memory. */
export class Reactions {
  private messages = new Float64Array(1024)
  private people = new Uint32Array(1024)
  private emoji = new Uint32Array(1024)
  private count = 0
  private readonly names: { readonly name: string; readonly code: string | null }[] = []
  private readonly known = new Map<string, number>()
  private sorted: Uint32Array | undefined

  /** False: there are too many, or it names no message. */
  add(row: Loose): boolean {
    const [message, person] = [idOf(row.message), idOf(row.user_profile)]
    if (message === undefined || person === undefined || person >= 2 ** 32 || this.count >= most) return false
    if (this.count === this.messages.length) this.grow()
    this.messages[this.count] = message
    this.people[this.count] = person
    this.emoji[this.count] = this.emojiOf(row)
    this.count++
    this.sorted = undefined
    return true
  }

  of(message: number, keyOf: (person: number) => string): SourceReaction[] {
    this.sorted ??= Uint32Array.from({ length: this.count }, (_, i) => i).sort(
      (a, b) => this.messageAt(a) - this.messageAt(b) || a - b,
    )
    const found: SourceReaction[] = []
    for (let i = this.firstOf(this.sorted, message); i < this.count; i++) {
      const at = this.sorted[i] as number
      if (this.messageAt(at) !== message) break
      const emoji = this.names[this.emoji[at] as number]
      if (emoji) found.push({ ...emoji, person: keyOf(this.people[at] as number) })
    }
    return found
  }

  private messageAt(at: number): number {
    return this.messages[at] as number
  }

  private firstOf(sorted: Uint32Array, message: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.messageAt(sorted[middle] as number) < message) low = middle + 1
      else high = middle
    }
    return low
  }

  private grow(): void {
    const larger = <Column extends Float64Array | Uint32Array>(column: Column, made: Column): Column => {
      made.set(column)
      return made
    }
    const length = this.count * 2
    this.messages = larger(this.messages, new Float64Array(length))
    this.people = larger(this.people, new Uint32Array(length))
    this.emoji = larger(this.emoji, new Uint32Array(length))
  }

  /** Its place among the emoji. */
  private emojiOf(row: Loose): number {
    const [type, name, code] = [firstText(row.reaction_type), firstText(row.emoji_name), firstText(row.emoji_code)]
    const id = `${type} ${code} ${name}`
    const known = this.known.get(id)
    if (known !== undefined) return known
    this.names.push({ name, code: type === 'unicode_emoji' ? code.toLowerCase() : null })
    this.known.set(id, this.names.length - 1)
    return this.names.length - 1
  }
}
