import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Chart, Result, ResultTable, Target } from '../lib/result.js'
import { percent } from '../lib/table.js'
import { growthOf } from './growth.js'
import type { SoakOptions } from './options.js'
import type { Course } from './run-soak.js'
import { type Size, sizes } from './sizes.js'

// Caches fill and bounds are reached in the first minutes: a shorter soak cannot measure growth.
const leastMinutes = 8
// Largest allowed growth in the second half, in percent.
const mostGrowth = 5

/** The growth, and what is left after the traffic. */
export function soakResult(options: SoakOptions, course: Course): Result {
  const { json: _json, svg: _svg, ...given } = options
  return {
    scenario: 'soak',
    question: questions.soak,
    machine: machine(),
    options: given,
    othersShare: { median: course.shares.others, most: course.shares.others },
    notes: notesOf(options, course),
    tables: [sizeTable(course), tallyTable(course)],
    charts: chartsOf(course),
    targets: [...(options.minutes < leastMinutes ? [] : growthTargets(course)), ...endTargets(course)],
  }
}

const points = (size: Size, { samples }: Course) => samples.map(sample => [sample.minute, size.value(sample)] as const)

function notesOf({ minutes }: SoakOptions, { left, shares: { server, redis, postgres, load } }: Course): string[] {
  return [
    `Of the machine the server took ${percent(server)}, PostgreSQL ${percent(postgres)}, Redis ${percent(redis)}, the clients ${percent(load)}.`,
    'Every queue got every event that its owner may see, once and in order; anything else ends the soak without a result.',
    'All memory is without what is read from files; the live heap is measured after a full collection, which the measurement asks for.',
    'Growth is that of the line of least squares through eight means of the second half; none where it is within its error of 95 %.',
    ...(minutes < leastMinutes
      ? [`Less than ${leastMinutes} minutes say nothing about growth: it is no target here.`]
      : []),
    ...(left.length > 0 ? [`Keys of Redis that were not there before: ${left.slice(0, 20).join(', ')}.`] : []),
  ]
}

function chartsOf(course: Course): Chart[] {
  const chart = (title: string, unit: string, names: readonly (keyof typeof sizes)[]): Chart => ({
    title,
    kind: 'lines',
    x: { name: 'minutes' },
    y: { name: unit },
    series: names.map(name => ({ name: sizes[name].name, points: points(sizes[name], course) })),
  })
  return [
    chart('Memory of the processes', 'MB', ['workers', 'redis', 'postgres', 'supervisor']),
    chart('Inside the workers and Redis', 'MB', ['heap', 'buffers', 'redisData']),
    chart('Queues, keys, files, connections', '', ['queues', 'logs', 'keys', 'files', 'connections']),
    chart('Feed and outbox', 'entries', ['feed', 'outbox']),
    chart('What is kept for good', 'MB', ['database']),
  ]
}

function growthTargets(course: Course): Target[] {
  return Object.values(sizes)
    .filter(({ isBounded }) => isBounded)
    .map(size => {
      const { isCertain, amount, share } = growthOf(points(size, course))
      // For counts, a growth of one is no growth: a pool opens its last connection at the first need.
      const isGrowth = isCertain && (size.unit !== '' || amount >= 2)
      return {
        what: `${size.name}: growth in the second half`,
        limit: mostGrowth,
        found: isGrowth ? share * 100 : 0,
        is: 'atMost' as const,
        unit: '%',
      }
    })
}

function endTargets({ before, after }: Course): Target[] {
  return [sizes.queues, sizes.logs, sizes.outbox].map(({ name, value }) => ({
    what: `${name} left when all have gone`,
    limit: 0,
    found: Math.max(0, value(after) - value(before)),
    is: 'atMost',
    unit: '',
  }))
}

function sizeTable(course: Course): ResultTable {
  const { samples, before, after } = course
  const middle = samples[Math.floor(samples.length / 2)] ?? before
  const last = samples.at(-1) ?? before
  const times = ['before', 'half-way', 'at the end', 'when all have gone', 'growth per hour']
  return {
    title: 'Sizes',
    columns: [{ name: '' }, ...times.map(name => ({ name, decimals: 1 })), { name: '' }],
    rows: Object.values(sizes).map(size => {
      const { perHour, isCertain } = growthOf(points(size, course))
      return {
        name: size.unit ? `${size.name}, ${size.unit}` : size.name,
        cells: [...[before, middle, last, after].map(size.value), perHour, isCertain ? '' : 'no growth'],
      }
    }),
  }
}

const tallyTable = ({ tally }: Course): ResultTable => ({
  title: 'What happened',
  columns: [{ name: '' }, { name: 'times' }],
  rows: tally.all.map(([name, count]) => ({ name, cells: [count] })),
})
