import { atMost, type Result, type ResultTable, type Target } from '../lib/result.js'
import { growthOf } from './growth.js'
import type { Course } from './run-soak.js'
import { type Size, sizes } from './sampler.js'
import type { SoakOptions } from './soak-world.js'

// Caches fill and bounds are reached in the first minutes: a shorter soak cannot measure growth.
const leastMinutes = 8
// Largest allowed growth in the second half, in percent.
const mostGrowth = 5
// Sizes of the table, beside those before and after the traffic.
const parts = 8

/** The growth, and what is left after the traffic. */
export function soakResult(options: SoakOptions, course: Course): Result {
  const { tally, othersShare } = course
  const isLong = options.minutes >= leastMinutes
  return {
    options,
    othersShare: { median: othersShare, most: othersShare },
    notes: [
      'Every queue got every event that its owner may see, once and in order; anything else ends the soak without a result.',
      'All memory is without what is read from files; the live heap is measured after a full collection, which the measurement asks for.',
      'Growth is that of the line of least squares through eight means of the second half; none where it is within its error of 95 %.',
      ...(isLong ? [] : [`Less than ${leastMinutes} minutes say nothing about growth: it is no target here.`]),
    ],
    tables: [
      sizeTable(course),
      { title: 'What happened', columns: ['times'], rows: [...tally].sort(([a], [b]) => a.localeCompare(b)) },
    ],
    targets: [...(isLong ? growthTargets(course) : []), ...endTargets(course)],
  }
}

const growthIn = ({ samples }: Course, { value }: Size) =>
  growthOf(samples.map(sample => [sample.minute, value(sample)] as const))

function growthTargets(course: Course): Target[] {
  return sizes
    .filter(({ grows }) => !grows)
    .map(size => {
      const { isCertain, amount, share } = growthIn(course, size)
      // For counts, a growth of one is no growth: a pool opens its last connection at the first need.
      const isGrowth = isCertain && (size.name.endsWith('MB') || amount >= 2)
      return atMost(mostGrowth, '%', `${size.name}: growth in the second half`, isGrowth ? share * 100 : 0)
    })
}

function endTargets({ before, after }: Course): Target[] {
  return sizes
    .filter(({ isGoneAtTheEnd }) => isGoneAtTheEnd)
    .map(({ name, value }) =>
      atMost(0, '', `${name} left when all have gone`, Math.max(0, value(after) - value(before))),
    )
}

function sizeTable(course: Course): ResultTable {
  const { samples, before, after } = course
  const during = Array.from({ length: parts }, (_, i) => samples[Math.floor(((i + 1) * samples.length) / parts) - 1])
  const shown = during.flatMap(sample => sample ?? [])
  return {
    title: 'Sizes',
    columns: [
      'before',
      ...shown.map(({ minute }) => `${minute.toFixed(1)} min`),
      ...['when all have gone', 'growth per hour', ''],
    ],
    rows: sizes.map(size => {
      const { perHour, isCertain } = growthIn(course, size)
      return [size.name, ...[before, ...shown, after].map(size.value), perHour, isCertain ? '' : 'no growth']
    }),
  }
}
