import { readFileSync } from 'node:fs'
import { beginRendering } from '../../server/text/markdown.js'
import { noNames } from '../../server/text/names.js'
import { SlowPartsRenderer } from '../../server/text/render-slow-parts.js'

const slowParts = new SlowPartsRenderer()

// The renderer alone, without a server and without threads: `node dist/test/text/measure-rendering.js`. Each message of the corpus counts
// with the fastest of several rounds, so that other programs disturb little.
const rounds = 9
const warmups = 3

const corpus = JSON.parse(
  readFileSync(new URL('../../../bench/requests/corpus.json', import.meta.url), 'utf8'),
) as string[]

function render(content: string): void {
  const { parts, finish } = beginRendering(content, noNames)
  finish(parts.length === 0 ? [] : slowParts.render(parts.map(({ part }) => part)))
}

const fastest = new Float64Array(corpus.length).fill(Number.POSITIVE_INFINITY)
for (let round = 0; round < warmups + rounds; round++) {
  for (const [i, content] of corpus.entries()) {
    const start = performance.now()
    render(content)
    const ms = performance.now() - start
    if (round >= warmups) fastest[i] = Math.min(fastest[i] as number, ms)
  }
}
const ascending = fastest.sort()
const at = (share: number): string =>
  `${((ascending[Math.floor((corpus.length - 1) * share)] as number) * 1000).toFixed(1)} µs`
console.log(`${corpus.length} messages: median ${at(0.5)}, 99th percentile ${at(0.99)}, slowest ${at(1)}`)
