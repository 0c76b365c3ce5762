import { type Rendered, renderAtOnce } from '../../text/markdown.js'
import { type Names, noNames } from '../../text/names.js'
import type { Random } from './random.js'
import { hanWords, words } from './words.js'

export interface Text {
  readonly content: string
  readonly rendered: Rendered
}

// Number of texts: rendering hundreds of thousands of texts would take longer than storing them.
const poolSize = 600

/** Texts of all kinds, rendered once: mostly one or two sentences, some with code, lists, links, quotations. */
export function makeTexts(random: Random): Text[] {
  return Array.from({ length: poolSize }, () => {
    const content = contentOf(random)
    return { content, rendered: renderAtOnce(content, noNames) }
  })
}

/** The same text behind a mention. */
export function withMention(text: Text, mention: string, names: Names): Text {
  const content = `${mention} ${text.content}`
  return { content, rendered: renderAtOnce(content, names) }
}

function contentOf(random: Random): string {
  const kind = random.next()
  const text = sentences(random, 1 + random.skewed(6))
  if (kind < 0.03) return `${text}\n\n\`\`\`js\nconst ${random.pick(words)} = ${random.below(1000)}\n\`\`\``
  if (kind < 0.06) return `${text}\n\n* ${sentence(random)}\n* ${sentence(random)}`
  if (kind < 0.12) return `${text} https://example.com/${random.pick(words)}/${random.below(10_000)}`
  if (kind < 0.15) return `> ${sentence(random)}\n\n${text}`
  if (kind < 0.2) return `${text} :tada:`
  if (kind < 0.25) return `**${random.pick(words)}**: ${text}`
  if (kind < 0.33) return `${text} ${hanSentence(random)}`
  return text
}

const sentences = (random: Random, count: number): string =>
  Array.from({ length: count }, () => sentence(random)).join(' ')

const hanSentence = (random: Random): string =>
  `${Array.from({ length: 3 + random.below(6) }, () => random.pick(hanWords)).join('')}。`

function sentence(random: Random): string {
  const text = Array.from({ length: 3 + random.below(12) }, () => random.pick(words)).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.chance(0.15) ? '?' : '.'}`
}
