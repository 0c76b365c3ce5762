import { spaceless } from '../../shared/spaceless.js'

/** Characters by code: 1 for each of them, which are all of ASCII. */
function asciiTable(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
const before = asciiTable('\n (".,\';[*`>')
const after = asciiTable("\n )?:.,';]!*`")
const spacelessUnit = new RegExp(`[${spaceless}]`, 'u')
const isSpaceless = (unit: number): boolean => unit > 0x7f && spacelessUnit.test(String.fromCharCode(unit))

const endsAt = (units: Uint16Array, end: number): boolean =>
  after[units[end] as number] === 1 || isSpaceless(units[end] as number) || isSpaceless(units[end - 1] as number)

/**
 * The alert words of all users, by word. Finding those in a text takes a lookup for each place where a word may begin and each length of
 * words with that first letter, so the time does not grow with the number of users.
 */
export class AlertWords {
  /** Users by word in lower case. */
  private readonly users = new Map<string, Set<number>>()
  /** Numbers of words by length, by first UTF-16 unit. */
  private readonly counts = new Map<number, Map<number, number>>()
  /** The lengths of `counts`, by first UTF-16 unit; an array, because each place of each text asks for them. */
  private readonly lengths: (readonly number[] | undefined)[] = []
  private units = new Uint16Array(1024)

  /** Replaces the words of a user. */
  change(userId: number, old: readonly string[], words: readonly string[]): void {
    if (old.length === 0 && words.length === 0) return
    for (const word of old) this.remove(userId, word.toLowerCase())
    for (const word of words) this.add(userId, word.toLowerCase())
  }

  /** Ids of the users with a word that occurs in the text, with a boundary on both sides. */
  usersOf(text: string): ReadonlySet<number> {
    const found = new Set<number>()
    if (this.users.size === 0) return found
    const lower = text.toLowerCase()
    const units = this.unitsOf(lower)
    let mayBegin = true
    for (let start = 0; start < lower.length; start++) {
      const unit = units[start] as number
      const here = mayBegin
      mayBegin = before[unit] === 1
      const lengths = this.lengths[unit]
      if (!lengths || !(here || isSpaceless(unit) || (start > 0 && isSpaceless(units[start - 1] as number)))) continue
      for (const length of lengths) {
        const end = start + length
        if (end > lower.length || (end < lower.length && !endsAt(units, end))) continue
        for (const id of this.users.get(lower.slice(start, end)) ?? []) found.add(id)
      }
    }
    return found
  }

  /** The UTF-16 units of the text, until the next call. Reading them one by one from the string took half of the search. */
  private unitsOf(text: string): Uint16Array {
    if (this.units.length < text.length) this.units = new Uint16Array(2 * text.length)
    Buffer.from(this.units.buffer).write(text, 'utf16le')
    return this.units
  }

  private add(userId: number, word: string): void {
    const users = this.users.get(word)
    if (users) {
      users.add(userId)
      return
    }
    this.users.set(word, new Set([userId]))
    this.count(word, 1)
  }

  private remove(userId: number, word: string): void {
    const users = this.users.get(word)
    if (!users?.delete(userId) || users.size > 0) return
    this.users.delete(word)
    this.count(word, -1)
  }

  private count(word: string, change: 1 | -1): void {
    const first = word.charCodeAt(0)
    const counts = this.counts.get(first) ?? new Map<number, number>()
    this.counts.set(first, counts)
    const count = (counts.get(word.length) ?? 0) + change
    if (count > 0) counts.set(word.length, count)
    else counts.delete(word.length)
    this.lengths[first] = counts.size > 0 ? [...counts.keys()] : undefined
  }
}
