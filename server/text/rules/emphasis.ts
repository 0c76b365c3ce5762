import type { StateInline } from 'markdown-it'

/**
 * Inline rules for `**strong**`, `*em*`, `***both***` and `~~del~~`, each on one line and also inside words
 * (docs/protocol/message-html.md#emphasis). What an earlier rule takes, such as code or an address, cannot close them.
 */
export function emphasis(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x2a || state.linkLevel > 0) return false
  if (src.startsWith('***', pos)) {
    const end = endOfEm(state, 3)
    if (end !== undefined) return push(state, silent, { tags: ['strong', 'em'], length: 3, end })
  }
  if (src.startsWith('**', pos)) {
    const end = endOfStrong(state, pos)
    return end !== undefined && push(state, silent, { tags: ['strong'], length: 2, end })
  }
  const end = endOfEm(state, 1)
  return end !== undefined && push(state, silent, { tags: ['em'], length: 1, end })
}

const deletion = /~~(?!~)([^~\n]+)~~(?!~)/y

/** Inline rule: `~~text~~`. */
export function deletions(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x7e || state.linkLevel > 0 || src.charAt(pos - 1) === '~') return false
  deletion.lastIndex = pos
  const [found] = deletion.exec(src) ?? []
  return (
    found !== undefined &&
    pos + found.length <= posMax &&
    push(state, silent, { tags: ['del'], length: 2, end: pos + found.length - 2 })
  )
}

/** The text between marks of this length, of which the second begins at `end`. */
function push(
  state: StateInline,
  silent: boolean,
  { tags, length, end }: { readonly tags: readonly string[]; readonly length: number; readonly end: number },
): true {
  const { pos, posMax } = state
  if (!silent) {
    for (const tag of tags) state.push(`${tag}_open`, tag, 1)
    state.pos = pos + length
    state.posMax = end
    state.md.inline.tokenize(state)
    for (const tag of tags.toReversed()) state.push(`${tag}_close`, tag, -1)
    state.posMax = posMax
  }
  state.pos = end + length
  return true
}

/** Where the nearest `**` that closes the one at `start` begins. */
function endOfStrong(state: StateInline, start: number): number | undefined {
  const { src, posMax } = state
  for (let at = start + 2; at < posMax; at = next(state, at)) {
    if (src.charCodeAt(at) === 0x0a) return undefined
    if (at > start + 2 && at + 2 <= posMax && src.startsWith('**', at)) return at
  }
  return undefined
}

/** Index of the mark that closes the mark of one or three asterisks at the state's position. The text between may have strong text (`**…**`), and no other asterisk. */
function endOfEm(state: StateInline, length: 1 | 3): number | undefined {
  const { src, pos, posMax } = state
  const start = pos + length
  if (/[\s*]/.test(src.charAt(start))) return undefined
  for (let at = start; at < posMax; at = next(state, at)) {
    const char = src.charAt(at)
    if (char === '\n' || char === '^') return undefined
    if (char !== '*') continue
    const end = length === 1 && src.startsWith('**', at) ? endOfStrong(state, at) : undefined
    if (end === undefined) return closesEm(src, at, length, posMax) ? at : undefined
    at = end + 1
  }
  return undefined
}

const closesEm = (src: string, at: number, length: number, posMax: number): boolean =>
  !/\s/.test(src.charAt(at - 1)) && at + length <= posMax && src.startsWith('*'.repeat(length), at)

// All characters at which one of the rules that come before emphasis may begin.
const earlier = /[#$<@[`]|[\w+]/

/** The position behind what an earlier rule takes at `at`, or behind one character. */
function next(state: StateInline, at: number): number {
  if (!earlier.test(state.src.charAt(at))) return at + 1
  const { pos } = state
  state.pos = at
  state.md.inline.skipToken(state)
  const end = state.pos
  state.pos = pos
  return end
}
