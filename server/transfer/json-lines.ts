import type { Listed } from './json-list.js'

// Characters. A post with its thread is one line, so lines are longer than messages; bounds the memory for a line that does not end.
const mostCharacters = 64 * 1024 * 1024

/**
 * The values of a file that has one JSON value in each line, which may be larger than memory. A line that is no JSON is a fault of its own.
 * `reads`: whether a line is of use; others are not parsed.
 */
export async function* linesOf(
  pieces: AsyncIterable<Buffer>,
  reads: (line: string) => boolean = () => true,
): AsyncGenerator<Listed> {
  const decoder = new TextDecoder()
  let number = 0
  let line = ''
  let isTooLong = false
  const taken = (): Listed | undefined => {
    number++
    const text = line
    line = ''
    if (isTooLong) {
      isTooLong = false
      return { number, fault: 'it is longer than 64 MB' }
    }
    if (text.trim() === '' || !reads(text)) return undefined
    try {
      return { number, value: JSON.parse(text) as unknown }
    } catch {
      return { number, fault: 'it is no JSON' }
    }
  }
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n')
    for (const [i, part] of parts.entries()) {
      if (i > 0) {
        const listed = taken()
        if (listed) yield listed
      }
      if (line.length + part.length > mostCharacters) isTooLong = true
      line = isTooLong ? '' : line + part
    }
  }
  line += decoder.decode()
  if (line !== '' || isTooLong) {
    const listed = taken()
    if (listed) yield listed
  }
}
