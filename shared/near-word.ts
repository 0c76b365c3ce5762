// A longer word may have two mistakes.
const longWord = 7

/** The word that was probably meant by one with a letter too many, too few, another or in another place; undefined: none is that near. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const most = typed.length < longWord ? 1 : 2
  let nearest: { readonly word: string; readonly mistakes: number } | undefined
  for (const word of words) {
    if (Math.abs(word.length - typed.length) > most) continue
    const mistakes = mistakesBetween(typed.toLowerCase(), word)
    if (mistakes <= most && mistakes < (nearest?.mistakes ?? Number.POSITIVE_INFINITY)) nearest = { word, mistakes }
  }
  return nearest?.word
}

/** The distance of Damerau and Levenshtein, in which two neighbours that changed places are one mistake. */
function mistakesBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(changed, at(last, j) + 1, at(row, j - 1) + 1, isSwap ? at(before, j - 2) + 1 : changed))
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], i: number): number => row[i] ?? Number.POSITIVE_INFINITY
