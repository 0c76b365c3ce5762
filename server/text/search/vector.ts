import { textOfHtml } from './html-text.js'
import type { Stems } from './stems.js'
import { type Word, wordsIn } from './words.js'

// PostgreSQL keeps this many places of a word, and no place beyond the last one.
const mostPlaces = 255
const lastPlace = 16_383
// So far apart that no phrase reaches from one text to the next.
const gap = 10

/** The labels that PostgreSQL keeps with places: a phrase matches exact words only, and the words of a topic can be replaced. */
const labels = { content: { exact: '', other: 'C' }, topic: { exact: 'A', other: 'B' } } as const

/**
 * The words of a message, as the text of a `tsvector`.
 * @param html the rendered content
 * @param others what belongs to the message and is seen elsewhere
 */
export function searchVector(html: string, topic: string, stems: Stems, others: readonly string[] = []): string {
  const places = new Map<string, string[]>()
  const { text, further } = textOfHtml(html)
  let place = 1
  for (const one of [text, ...further, ...others]) {
    place = add(places, wordsIn(one, stems, place), { label: 'content', place })
  }
  add(places, wordsIn(topic, stems, place), { label: 'topic', place })
  return textOf(places)
}

/** The words of a topic alone, which replace those of another one. */
export function topicVector(topic: string, stems: Stems): string {
  const places = new Map<string, string[]>()
  add(places, wordsIn(topic, stems, gap), { label: 'topic', place: gap })
  return textOf(places)
}

/** Returns the place at which the next text may begin. */
function add(
  places: Map<string, string[]>,
  words: readonly Word[],
  { label, place: first }: { readonly label: keyof typeof labels; readonly place: number },
): number {
  let next = first
  for (const { form, place, isExact } of words) {
    const own = places.get(form) ?? []
    if (own.length === 0) places.set(form, own)
    const { exact, other } = labels[label]
    if (own.length < mostPlaces) own.push(`${Math.min(place, lastPlace)}${isExact ? exact : other}`)
    next = Math.max(next, place + gap)
  }
  return next
}

const textOf = (places: ReadonlyMap<string, readonly string[]>): string =>
  Array.from(places, ([form, own]) => `'${form}':${own.join(',')}`).join(' ')
