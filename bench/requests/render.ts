import { readFileSync } from 'node:fs'
import { asks } from '../lib/request-load.js'
import type { Result } from '../lib/result.js'
import { measureRequests } from './measure.js'

// The data is beside the source of this file, not beside what the compiler makes of it.
const corpus = JSON.parse(
  readFileSync(new URL('../../../bench/requests/corpus.json', import.meta.url), 'utf8'),
) as string[]

/** A text that consists of repetitions, of the length of the longest message. */
const long = (text: string, frame: (text: string) => string = inner => inner): string =>
  frame(text.repeat(Math.floor((10_000 - frame('').length) / text.length)))

// Texts that keep a part of the renderer busy for long.
const worst: Readonly<Record<string, string>> = {
  'a formula of many long definitions': `$$\\def\\a{${'x'.repeat(2500)}}${'\\a'.repeat(400)}$$`,
  formulas: long('$$x_1$$ '),
  'one long formula': long('x_1+', text => `$$${text.slice(0, 3_990)}1$$`),
  'code of one character in C#': long('if ', text => `\`\`\`cs\n${text}\n\`\`\``),
  'code of numbers': long('1 ', text => `\`\`\`sql\n${text}\n\`\`\``),
  emoji: long('👍'),
  mentions: long('@**all** '),
  links: long('https://a.example '),
  stars: long('*'),
  brackets: long('['),
}

/** Measures rendering: a corpus of usual messages, and the worst texts of the greatest length. */
export const render = (args: string[]): Promise<Result> =>
  measureRequests(args, async ({ seeded }) => {
    const people = await seeded.people(1)
    const [person] = people
    if (!person) throw new Error('the organization has no users')
    const ask = (content: string) => asks('POST', '/messages/render', person, { content })
    const floor = { kind: 'bytes' } as const
    return [
      { name: '1,000 usual messages', requests: corpus.map(ask), floor },
      { name: 'a message of one word', requests: [ask('word')], floor },
      ...Object.entries(worst).map(([name, content]) => ({
        name: `10,000 characters: ${name}`,
        requests: [ask(content)],
        floor,
        atMostMs: 50,
        othersWaitAtMostMs: 10,
      })),
    ]
  })
