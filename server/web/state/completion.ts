import { foldedText } from '../../../shared/fold.js'
import { spaceless } from '../../../shared/spaceless.js'

/** What to suggest for the text before the cursor. `from`: the start of the text that a suggestion replaces. */
export interface Wanted {
  readonly kind: 'person' | 'channel' | 'topic' | 'emoji' | 'command'
  readonly words: string
  readonly from: number
  /** Only of a topic: its channel's name. */
  readonly channel?: string
}

// An at sign inside a word belongs to an email address; a colon after a digit to a time.
const person = /(?:^|[\s'"({[/<])@(_?)([^\s@*][^@*\n]{0,40}|)$/
const topic = /#\*\*([^*>\n]{1,60})>([^*\n]{0,60})$/
const channel = /(?:^|[\s'"({[/<])#(?:\*\*)?([^\s#*>][^#*>\n]{0,40}|)$/
// Only at the beginning of the message is it a command.
const command = /^\/([a-z]{0,10})$/
const emoji = /(?:^|[\s'"({[])(:)([a-z0-9_+-]{2,30})$/i

/** What to suggest for the text before the cursor; undefined for nothing. */
export function wantedAt(before: string): Wanted | undefined {
  const inTopic = topic.exec(before)
  if (inTopic) return { kind: 'topic', channel: inTopic[1], words: inTopic[2] ?? '', from: inTopic.index }
  const mention = person.exec(before)
  if (mention) {
    const words = mention[2] ?? ''
    return { kind: 'person', words, from: before.length - words.length - (mention[1] ?? '').length - 1 }
  }
  const named = channel.exec(before)
  if (named) return { kind: 'channel', words: named[1] ?? '', from: before.lastIndexOf('#') }
  const ordered = command.exec(before)
  if (ordered) return { kind: 'command', words: ordered[1] ?? '', from: 0 }
  const faces = emoji.exec(before)
  if (faces) return { kind: 'emoji', words: faces[2] ?? '', from: before.length - (faces[2] ?? '').length - 1 }
  return undefined
}

const plain = /^[a-z\d ]*$/i
const separators = /[^\p{L}\p{M}\p{N}]+/gu
const hasSpaceless = new RegExp(`[${spaceless}]`, 'u')
// How people write a name in another way (docs/protocol/search.md): pieces apart, hyphens and apostrophes left out, umlauts spelled out.
const rewritings = [
  [/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' '],
  [/[-'’]/g, ''],
  [/(?<=[äöü])/gi, 'e'],
] as const
// Most names have no other way, and ten thousand of them are looked at for each typed letter.
const mayHaveOthers = /[^A-Za-z ]|[a-z][A-Z]/

/** Words in the form in which searches compare them, with spaces between them. */
const wordsOf = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : foldedText(text).replace(separators, ' ').trimStart()

/** Rank of a match, the best is 0: the name begins with the words, then a word of it does. -1: no match. */
export function rankOf(name: string, words: string): number {
  const wanted = wordsOf(words)
  // Signs without a letter are compared as they are.
  if (wanted === '') return name.startsWith(words) ? 0 : -1
  const rank = rankIn(wordsOf(name), wanted)
  if (rank >= 0 || !mayHaveOthers.test(name)) return rank
  return Math.max(...rewritings.map(([sign, instead]) => rankIn(wordsOf(name.replace(sign, instead)), wanted)))
}

function rankIn(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0
  return name.includes(hasSpaceless.test(wanted) ? wanted : ` ${wanted}`) ? 1 : -1
}

export function bestMatches<Thing>(
  things: Iterable<Thing>,
  nameOf: (thing: Thing) => string,
  words: string,
  most: number,
): Thing[] {
  const ranks: [Thing[], Thing[]] = [[], []]
  for (const thing of things) {
    const rank = rankOf(nameOf(thing), words)
    if (rank >= 0) ranks[rank as 0 | 1].push(thing)
    // Enough matches of the best rank; further users cannot rank higher.
    if (ranks[0].length >= most) break
  }
  return [...ranks[0], ...ranks[1]].slice(0, most)
}
