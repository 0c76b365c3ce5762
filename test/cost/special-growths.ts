import type { Growth } from './growths.js'

// What a schema does not show: texts and lists that have a grammar of their own.
const repeated = (name: string, piece: string): Growth => ({
  name,
  most: undefined,
  at: size => `${piece.repeat(Math.ceil(size / piece.length)).slice(0, size - 1)}x`,
})

const markup = [
  ['stars', '*a'],
  ['stars that open', '**a '],
  ['brackets', '['],
  ['links', '[a](b) '],
  ['addresses', 'http://a.b/ '],
  ['mentions', '@**a** '],
  ['channel links', '#**a>b** '],
  ['backticks', '`a'],
  ['quotations', '> '],
  ['quotations in lines', '>\n'],
  ['lists', '* a\n'],
  ['tables', '|a|b\n'],
  ['emoji', ':tada: '],
  ['formulas', '$$a$$ '],
  ['linkified numbers', '#12 '],
  ['fences', '```\n'],
  ['tags', '<a '],
  ['plusses', 'a+'],
] as const

const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })
const terms = (name: string, of: (index: number) => unknown): Growth => ({
  name,
  most: undefined,
  at: size => Array.from({ length: size }, (_, index) => of(index)),
})
const search = (name: string, piece: (index: number) => string): Growth => ({
  name,
  most: undefined,
  at: size => [term('search', Array.from({ length: size }, (_, index) => piece(index)).join(' '))],
})

const narrows: readonly Growth[] = [
  terms('topics', index => term('topic', `topic ${index}`)),
  terms('equal topics', () => term('topic', 'topic')),
  terms('negated topics', index => term('topic', `topic ${index}`, true)),
  terms('senders', index => term('sender', index + 1)),
  terms('unknown operators', index => term(`operator ${index}`, '')),
  terms('searches', index => term('search', `word${index}`)),
  search('search words', index => `word${index}`),
  search('equal search words', () => 'word'),
  search('search phrases', index => `"phrase ${index}"`),
  search('negated search words', index => `-word${index}`),
]

const contents: readonly Growth[] = markup.map(([name, piece]) => repeated(name, piece))

/** Ways in which a parameter of this name grows beside those of its schema. */
export function specialGrowths(name: string): readonly Growth[] {
  if (name === 'narrow') return narrows
  if (name === 'content') return contents
  return []
}

// A JSON text that is deep or wrong is the same for each parameter that takes JSON.
const nested = (name: string, open: string, close: string): Growth => ({
  name,
  most: undefined,
  sizes: [100, 100_000],
  at: size => open.repeat(size) + close.repeat(size),
})

/** A text that no parameter of another type takes. */
export const refusedText: Growth = { ...repeated('letters for another type', 'a'), sizes: [100, 100_000] }

/** Texts for any parameter that can grow, whatever its schema: most are refused. */
export const anyTexts: readonly Growth[] = [
  { ...repeated('plusses', 'a+'), sizes: [100, 1_000_000] },
  nested('nested lists', '[', ']'),
  nested('nested objects', '{"a":', '}'),
]
