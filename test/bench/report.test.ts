import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { keptOutcomes } from '../../bench/all/outcome.js'
import { pageOf } from '../../bench/all/page.js'
import { keepAll } from '../../bench/all/run-all.js'
import { drawChart, drawCharts } from '../../bench/lib/draw-chart.js'
import { machine } from '../../bench/lib/machine.js'
import { questions, type ScenarioName } from '../../bench/lib/questions.js'
import type { Chart, Result } from '../../bench/lib/result.js'

const lines: Chart = {
  title: 'Growth <of a delivery>',
  kind: 'lines',
  x: { name: 'queues', logarithmic: true },
  y: { name: 'µs' },
  series: [
    {
      name: 'one worker',
      points: [
        [100, 9],
        [1000, 5],
        [10_000, 5.2],
      ],
    },
    {
      name: 'two workers',
      points: [
        [100, 11],
        [1000, 6],
      ],
    },
  ],
}
const bars: Chart = {
  title: 'Costs',
  kind: 'bars',
  x: { name: '' },
  y: { name: 'µs', logarithmic: true },
  series: [
    {
      name: 'floor',
      points: [
        ['a & b', 12],
        ['c', 3],
      ],
    },
  ],
}

const resultOf = (scenario: ScenarioName): Result => ({
  scenario,
  question: questions[scenario],
  machine: machine(),
  options: { queues: 20 },
  othersShare: { median: 0.01, most: 0.02 },
  notes: ['A note.'],
  tables: [
    { title: 'Sizes', columns: [{ name: '' }, { name: 'µs', decimals: 1 }], rows: [{ name: 'a', cells: [1.25] }] },
  ],
  charts: [lines, bars],
  targets: [
    { what: 'a cost', limit: 2, found: 1.5, is: 'atMost', unit: '× floor' },
    { what: 'a rate', limit: 2, found: 1.5, is: 'atLeast', unit: '× floor' },
  ],
})

t.test('a failed one is reported, and the others continue', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const failed = await keepAll(directory, ['fanout', 'topics', 'register'], async name => {
    if (name === 'topics') throw new Error('The check failed: event 5 is missing')
    return resultOf(name)
  })
  t.same(failed, ['topics'])
  const outcomes = keptOutcomes(directory)
  t.same(
    outcomes.map(({ scenario }) => scenario),
    ['fanout', 'register', 'topics'],
  )
  t.match(outcomes[2], { result: null, failure: 'The check failed: event 5 is missing' })

  const page = pageOf(outcomes)
  t.match(page, 'The check failed: event 5 is missing')
  t.match(page, '2 of 4 kept')
  t.match(page, questions.fanout)
  t.match(page, 'Growth &lt;of a delivery&gt;')
  t.equal(page.match(/<figure>/g)?.length, 4)
  // The page references no other files.
  t.notMatch(page, /<(?:script|link|img|iframe)\b|url\((?!#)|@import/)
})

t.test('a chart is drawn in the colours of the page, with its names', async t => {
  for (const chart of [lines, bars]) {
    const svg = drawChart(chart, 600)
    t.match(svg, /^<svg [^>]*aria-label="[^"<]+"/)
    t.match(svg, 'currentColor')
    t.notMatch(svg, /NaN|Infinity|undefined/)
  }
  t.match(drawChart(lines, 600), 'two workers')
  t.match(drawChart(bars, 600), 'a &amp; b')
  t.equal(drawCharts([lines, bars]).match(/<svg /g)?.length, 3)
})
