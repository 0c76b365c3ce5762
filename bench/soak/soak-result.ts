import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Chart, Result, ResultTable, Target } from '../lib/result.js'
import { growthOf } from './growth.js'
import type { SoakOptions } from './options.js'
import type { Course } from './run-soak.js'
import type { Sample } from './sampler.js'

// Caches fill and bounds are reached in the first minutes: a shorter soak says nothing about growth.
const leastMinutes = 8
// A share of its size that a thing may grow by in the second half.
const mostGrowth = 0.05
const megabyte = 1e6

interface Line {
  readonly name: string
  readonly unit: 'MB' | ''
  readonly value: (sample: Sample) => number
  /** Whether it is promised that it does not grow, or grows because it is kept for good. */
  readonly isBounded: boolean
}

const workers = (value: (worker: Sample['workers'][number]) => number) => (sample: Sample) =>
  sample.workers.reduce((sum, worker) => sum + value(worker), 0)

const lines: readonly Line[] = [
  { name: 'workers, all memory', unit: 'MB', value: workers(({ bytes }) => bytes / megabyte), isBounded: true },
  { name: 'workers, live heap', unit: 'MB', value: workers(({ heapBytes }) => heapBytes / megabyte), isBounded: true },
  {
    name: 'workers, buffers',
    unit: 'MB',
    value: workers(({ externalBytes }) => externalBytes / megabyte),
    isBounded: true,
  },
  {
    name: 'supervisor, all memory',
    unit: 'MB',
    value: ({ supervisorBytes }) => supervisorBytes / megabyte,
    isBounded: true,
  },
  { name: 'Redis, data', unit: 'MB', value: ({ redis }) => redis.usedBytes / megabyte, isBounded: true },
  { name: 'Redis, all memory', unit: 'MB', value: ({ redisBytes }) => redisBytes / megabyte, isBounded: true },
  {
    name: 'PostgreSQL, all memory',
    unit: 'MB',
    value: ({ postgresBytes }) => postgresBytes / megabyte,
    isBounded: false,
  },
  { name: 'queues', unit: '', value: ({ redis }) => redis.queues, isBounded: true },
  { name: 'logs of queues', unit: '', value: ({ redis }) => redis.logs, isBounded: true },
  { name: 'keys of Redis', unit: '', value: ({ redis }) => redis.keys, isBounded: true },
  { name: 'feed entries', unit: '', value: ({ redis }) => redis.feedEntries, isBounded: true },
  { name: 'outbox rows', unit: '', value: ({ database }) => database.outbox, isBounded: true },
  { name: 'open files of the workers', unit: '', value: ({ openFiles }) => openFiles, isBounded: true },
  { name: 'connections of PostgreSQL', unit: '', value: ({ database }) => database.connections, isBounded: true },
  { name: 'database', unit: 'MB', value: ({ database }) => database.bytes / megabyte, isBounded: false },
]

// What is counted moves by its own chance: growth is only what the line says for certain.
export function soakResult(options: SoakOptions, course: Course): Result {
  const { json: _json, svg: _svg, ...given } = options
  const { samples, before, after, tally } = course
  const points = ({ value }: Line) => samples.map(sample => [sample.minute, value(sample)] as const)
  const growths = lines.map(line => ({ line, growth: growthOf(points(line)) }))
  const chart = (title: string, unit: string, names: readonly string[]): Chart => ({
    title,
    kind: 'lines',
    x: { name: 'minutes' },
    y: { name: unit },
    series: lines.filter(({ name }) => names.includes(name)).map(line => ({ name: line.name, points: points(line) })),
  })
  const growthTargets = growths.flatMap(({ line, growth }): Target[] =>
    line.isBounded && options.minutes >= leastMinutes
      ? [
          {
            what: `${line.name}: growth in the second half`,
            limit: mostGrowth * 100,
            found: growth.isCertain ? growth.share * 100 : 0,
            is: 'atMost',
            unit: '%',
          },
        ]
      : [],
  )
  const atEnd = (what: string, value: (sample: Sample) => number): Target => ({
    what: `${what} left when all have gone`,
    limit: 0,
    found: Math.max(0, value(after) - value(before)),
    is: 'atMost',
    unit: '',
  })
  return {
    scenario: 'soak',
    question: questions.soak,
    machine: machine(),
    options: given,
    othersShare: { median: 0, most: 0 },
    notes: [
      'Every queue got every event that its owner may see, once and in order; whatever else happens ends the soak without a result.',
      'All memory is without what is read from files; the live heap is measured after a full collection, which the measurement asks for.',
      'Growth is that of the line of least squares through the second half; 0 where it is within twice its standard error.',
      ...(options.minutes < leastMinutes
        ? [`Growth says nothing in less than ${leastMinutes} minutes: no target is held against it.`]
        : []),
      ...(course.left.length > 0
        ? [`Keys of Redis that were not there before: ${course.left.slice(0, 20).join(', ')}`]
        : []),
    ],
    tables: [growthTable(growths, course), tallyTable(tally.all)],
    charts: [
      chart('Memory of the processes', 'MB', [
        'workers, all memory',
        'Redis, all memory',
        'PostgreSQL, all memory',
        'supervisor, all memory',
      ]),
      chart('Inside the workers and Redis', 'MB', ['workers, live heap', 'workers, buffers', 'Redis, data']),
      chart('Queues, keys, files', '', [
        'queues',
        'logs of queues',
        'keys of Redis',
        'open files of the workers',
        'connections of PostgreSQL',
      ]),
      chart('Feed and outbox', 'entries', ['feed entries', 'outbox rows']),
      chart('What is kept for good', 'MB', ['database']),
    ],
    targets: [
      ...growthTargets,
      atEnd('queues', ({ redis }) => redis.queues),
      atEnd('logs', ({ redis }) => redis.logs),
      atEnd('outbox rows', ({ database }) => database.outbox),
    ],
  }
}

function growthTable(
  growths: readonly { line: Line; growth: ReturnType<typeof growthOf> }[],
  { samples, before, after }: Course,
): ResultTable {
  const middle = samples[Math.floor(samples.length / 2)] ?? before
  const last = samples.at(-1) ?? before
  return {
    title: 'Sizes',
    columns: [
      { name: '' },
      { name: 'before', decimals: 1 },
      { name: 'half-way', decimals: 1 },
      { name: 'at the end', decimals: 1 },
      { name: 'when all have gone', decimals: 1 },
      { name: 'growth per hour', decimals: 1 },
      { name: '' },
    ],
    rows: growths.map(({ line: { name, unit, value }, growth }) => ({
      name: unit ? `${name}, ${unit}` : name,
      cells: [
        value(before),
        value(middle),
        value(last),
        value(after),
        growth.perHour,
        growth.isCertain ? '' : 'no growth',
      ],
    })),
  }
}

const tallyTable = (counts: readonly (readonly [string, number])[]): ResultTable => ({
  title: 'What happened',
  columns: [{ name: '' }, { name: 'times' }],
  rows: counts.map(([name, count]) => ({ name, cells: [count] })),
})
