// Writes the corpus of invented messages: node dist/bench/requests/make-corpus.js > bench/requests/corpus.json

// A linear congruential generator, so that the corpus is the same each time.
let state = 14
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const some = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))

const words = (
  'the a we you it build server test release plan lunch meeting today tomorrow maybe please thanks done broken works again ' +
  'channel message queue client page issue report number result change review branch deploy database slow fast old new ' +
  'because after before with without about until every other first last great sorry look see think know need want try'
).split(' ')

const sentence = (): string => {
  const text = Array.from({ length: some(4, 16) }, () => one(words)).join(' ')
  return text[0]?.toUpperCase() + text.slice(1) + one(['.', '.', '!', '?', ''])
}
const paragraph = (): string => Array.from({ length: some(1, 5) }, sentence).join(' ')
const code = (): string =>
  one([
    `\`\`\`ts\nexport function ${one(words)}(value: number): string {\n  // ${sentence()}\n  return String(value * ${some(2, 99)})\n}\n\`\`\``,
    `\`\`\`py\ndef ${one(words)}(items):\n    return [x for x in items if x > ${some(1, 9)}]\n\`\`\``,
    `\`\`\`sql\nselect id, name from ${one(words)} where id = ${some(1, 999)} order by name;\n\`\`\``,
    `\`\`\`\nError: ${sentence()}\n    at ${one(words)} (${one(words)}.js:${some(1, 99)}:${some(1, 40)})\n\`\`\``,
  ])
const formula = (): string =>
  one([
    `so $$x_${some(1, 9)} + y^2 = ${some(1, 99)}$$ holds`,
    '```math\n\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n```',
    `$$\\sum_{i=0}^{n} i^${some(2, 5)}$$ ${sentence()}`,
  ])

// Of a hundred messages, how many are of a kind.
const kinds: readonly (readonly [number, () => string])[] = [
  [44, paragraph],
  [14, () => `${sentence()} ${one([':smile:', ':tada:', '👍', ':+1:', '🎉 😀'])}`],
  [10, () => `@**${one(['all', 'Olga Ownby', 'Nobody Here'])}** ${sentence()}`],
  [10, () => `${sentence()} https://www.example.org/${one(words)}/${some(1, 9999)} ${sentence()}`],
  [6, () => `${sentence()} **${one(words)}** and *${one(words)}*, \`${one(words)}()\``],
  [5, () => `\`\`\`quote\n${paragraph()}\n\`\`\`\n${sentence()}`],
  [4, () => Array.from({ length: some(2, 6) }, () => `- ${sentence()}`).join('\n')],
  [4, () => `${sentence()}\n${code()}`],
  [1, formula],
  [1, () => `| ${one(words)} | ${one(words)} |\n|---|---:|\n| ${one(words)} | ${some(1, 99)} |`],
  [1, () => Array.from({ length: some(5, 12) }, paragraph).join('\n\n')],
]
const bag = kinds.flatMap(([share, make]) => Array.from({ length: share }, () => make))

console.log(
  JSON.stringify(
    Array.from({ length: 1_000 }, () => one(bag)()),
    null,
    2,
  ),
)
