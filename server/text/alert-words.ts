/** Characters by code: 1 for each of them, which are all of ASCII. */
function asciiTable(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
const before = asciiTable('\n (".,\';[*`>')
const after = asciiTable("\n )?:.,';]!*`")

/**
 * The alert words of all users, by word. Finding those in a text takes a lookup for each place where a word may begin and each length of
 * words with that first letter, so the time does not grow with the number of users.
 */
export class AlertWords {
  /** Users by word in lower case. */
  private readonly users = new Map<string, Set<number>>()
  /** Numbers of words by length, by first UTF-16 unit. */
  private readonly lengths = new Map<number, Map<number, number>>()

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
    for (let start = 0; start < lower.length; start++) {
      if (start > 0 && !before[lower.charCodeAt(start - 1)]) continue
      for (const length of this.lengths.get(lower.charCodeAt(start))?.keys() ?? []) {
        const end = start + length
        if (end > lower.length || (end < lower.length && !after[lower.charCodeAt(end)])) continue
        for (const id of this.users.get(lower.slice(start, end)) ?? []) found.add(id)
      }
    }
    return found
  }

  private add(userId: number, word: string): void {
    const users = this.users.get(word)
    if (users) {
      users.add(userId)
      return
    }
    this.users.set(word, new Set([userId]))
    const first = word.charCodeAt(0)
    const lengths = this.lengths.get(first) ?? new Map<number, number>()
    this.lengths.set(first, lengths)
    lengths.set(word.length, (lengths.get(word.length) ?? 0) + 1)
  }

  private remove(userId: number, word: string): void {
    const users = this.users.get(word)
    if (!users?.delete(userId) || users.size > 0) return
    this.users.delete(word)
    const first = word.charCodeAt(0)
    const lengths = this.lengths.get(first)
    const count = (lengths?.get(word.length) ?? 0) - 1
    if (count > 0) lengths?.set(word.length, count)
    else lengths?.delete(word.length)
    if (lengths?.size === 0) this.lengths.delete(first)
  }
}
