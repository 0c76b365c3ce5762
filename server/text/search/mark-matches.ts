import { escapeAttribute } from '../escape.js'
import { type Shown, textOfHtml } from './html-text.js'
import type { SearchQuery, Sequence, Sought } from './query.js'
import { type Word, wordsIn } from './words.js'

interface Range {
  readonly start: number
  readonly end: number
}

/** The HTML with `span.highlight` around what the searches find in its text; never inside a tag or a character reference. */
export function markMatches(html: string, searches: readonly SearchQuery[]): string {
  const { text, shown } = textOfHtml(html)
  const ranges = rangesOf(text, searches)
  if (ranges.length === 0) return html
  let marked = ''
  let end = 0
  for (const cut of cutsOf(shown, ranges)) {
    marked += `${html.slice(end, cut.start)}<span class="highlight">${html.slice(cut.start, cut.end)}</span>`
    end = cut.end
  }
  return marked + html.slice(end)
}

/** A text as HTML, with the same marks. */
export const markText = (text: string, searches: readonly SearchQuery[]): string =>
  markMatches(escapeAttribute(text), searches)

/** What the searches find in a text, in its order; ranges that touch or overlap are one. */
function rangesOf(text: string, searches: readonly SearchQuery[]): Range[] {
  const [first] = searches
  if (!first) return []
  const sequences = searches.flatMap(({ groups }) =>
    groups.flat().flatMap(term => (term.negated ? [] : term.sequences)),
  )
  const byForm = new Map<string, Word[]>()
  for (const word of wordsIn(text, first.stems)) {
    const same = byForm.get(word.form)
    if (same) same.push(word)
    else byForm.set(word.form, [word])
  }
  const found = sequences.flatMap(sequence => matchesOf(sequence, byForm)).sort((a, b) => a.start - b.start)
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of found) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

function matchesOf(sequence: Sequence, byForm: ReadonlyMap<string, readonly Word[]>): Range[] {
  const [first, ...others] = sequence.map(sought => ({ offset: sought.offset, words: wordsWith(sought, byForm) }))
  if (!first) return []
  const further = others.map(({ offset, words }) => ({
    offset: offset - first.offset,
    byPlace: new Map(words.map(word => [word.place, word])),
  }))
  return first.words.flatMap(({ place, start, end }): Range[] => {
    const rest = further.map(({ offset, byPlace }) => byPlace.get(place + offset))
    if (rest.some(word => word === undefined)) return []
    return [{ start, end: Math.max(end, ...rest.map(word => word?.end ?? 0)) }]
  })
}

function wordsWith({ form, isBeginning, isExact }: Sought, byForm: ReadonlyMap<string, readonly Word[]>): Word[] {
  const found = isBeginning
    ? [...byForm].flatMap(([one, words]) => (one.startsWith(form) ? words : []))
    : (byForm.get(form) ?? [])
  return isExact ? found.filter(word => word.isExact) : [...found]
}

/** The parts of the HTML that show the ranges. */
function cutsOf(shown: readonly Shown[], ranges: readonly Range[]): Range[] {
  const cuts: Range[] = []
  let next = 0
  for (const [i, { at, from, to, isReference }] of shown.entries()) {
    const until = isReference ? (shown[i + 1]?.at ?? at + 1) : at + (to - from)
    while (next < ranges.length && (ranges[next] as Range).end <= at) next++
    for (let n = next; n < ranges.length; n++) {
      const { start, end } = ranges[n] as Range
      if (start >= until) break
      const cut = isReference
        ? { start: from, end: to }
        : { start: from + Math.max(start - at, 0), end: from + Math.min(end, until) - at }
      const last = cuts.at(-1)
      if (last?.end === cut.start) cuts[cuts.length - 1] = { start: last.start, end: cut.end }
      else cuts.push(cut)
    }
  }
  return cuts
}
