import type { Distribution } from './distribution.js'
import { type FamilyName, families } from './families.js'

export type Labels = Readonly<Record<string, string>>

/** One figure of one process at one moment: what workers tell each other, as plain JSON. */
export interface Reading {
  readonly name: FamilyName
  readonly labels: Labels
  readonly value: number
  /** Of a distribution, whose sum `value` is. */
  readonly counts?: readonly number[]
}

export function reading(name: FamilyName, value: number, labels: Labels = {}): Reading {
  return { name, labels, value }
}

export function distributionReading(name: FamilyName, { counts, sum }: Distribution, labels: Labels = {}): Reading {
  return { name, labels, value: sum, counts: [...counts] }
}

/** Those that only ever grow: they stay in a sum when the process that counted them is gone. */
export function growing(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ name }) => families[name].type !== 'gauge')
}

/** Figures of several processes as one: added, or where they tell of the same thing, the highest or the lowest. */
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
  // A process of an older version may have had other bounds: its counts cannot be told apart any more.
  if (left.counts.length !== right.counts.length) return right
  return { ...left, value, counts: left.counts.map((count, i) => count + (right.counts?.[i] ?? 0)) }
}
