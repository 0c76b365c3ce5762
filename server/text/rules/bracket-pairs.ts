/** The closing bracket of each `[` in the text of a block, outside of inline code. */
export function bracketPairs(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  if (!text.includes('[')) return pairs
  const open: number[] = []
  const codeEnds = text.includes('`') ? endsOfCode(text) : new Map<number, number>()
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '[') open.push(at)
    else if (char === ']') {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, at)
    } else if (char === '`') at = (codeEnds.get(at) ?? at + 1) - 1
  }
  return pairs
}

/** The end of each inline code, by its start, and of each run of backticks that opens none. */
function endsOfCode(text: string): Map<number, number> {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ start: index, length }))
  const nextOfLength = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { start, length } of runs.reverse()) {
    const close = text.charAt(start - 1) === '\\' ? undefined : nextOfLength.get(length)
    ends.set(start, (close ?? start) + length)
    nextOfLength.set(length, start)
  }
  return ends
}
