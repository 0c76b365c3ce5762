import type { Distribution } from './distribution.js'
import { type FamilyName, families } from './families.js'

export type Labels = Readonly<Record<string, string>>

/** The value of one metric in one process at one moment. Workers and supervisor exchange readings as JSON. */
export interface Reading {
  readonly name: FamilyName
  readonly labels: Labels
  readonly value: number
  /** The bucket counts of a distribution; `value` is then its sum. */
  readonly counts?: readonly number[]
}

export function reading(name: FamilyName, value: number, labels: Labels = {}): Reading {
  return { name, labels, value }
}

export function distributionReading(name: FamilyName, { counts, sum }: Distribution, labels: Labels = {}): Reading {
  return { name, labels, value: sum, counts: [...counts] }
}

/** The readings that only grow; they stay in a sum after the end of their process. */
export function growing(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ name }) => families[name].type !== 'gauge')
}

/**
 * Combines the readings of several processes: the sum, the highest or the lowest value, as the family defines. Not by `aggregate` of
 * prom-client: its result can only be awaited, so a worker that ends meanwhile would count twice or not at all (monitor/machine-monitor.ts). It also
 * adds the buckets of histograms that have different bounds.
 */
export function merge(all: readonly (readonly Reading[])[]): Reading[] {
  const merged = new Map<string, Reading>()
  for (const one of all.flat()) {
    const key = `${one.name} ${JSON.stringify(one.labels)}`
    const before = merged.get(key)
    merged.set(key, before ? joined(before, one) : one)
  }
  return [...merged.values()]
}

function joined(left: Reading, right: Reading): Reading {
  const { together } = families[left.name]
  if (together === 'highest') return { ...left, value: Math.max(left.value, right.value) }
  if (together === 'lowest') return { ...left, value: Math.min(left.value, right.value) }
  const value = left.value + right.value
  if (!left.counts || !right.counts) return { ...left, value }
  // A process of an older version may have other bounds, and its counts cannot be converted.
  if (left.counts.length !== right.counts.length) return right
  return { ...left, value, counts: left.counts.map((count, i) => count + (right.counts?.[i] ?? 0)) }
}
