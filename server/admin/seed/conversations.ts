import type { Random } from './random.js'

/** Distinct sets of participants, as indexes of users: mostly two, some larger, a few with a single user. */
export function makeConversations(random: Random, people: readonly number[], count: number): number[][] {
  const sets = new Map<string, number[]>()
  for (let i = 0; i < count; i++) {
    const set = new Set([random.pick(people)])
    const size = sizeOf(random)
    for (let n = 1; n < size; n++) set.add(random.pick(people))
    const places = [...set].sort((a, b) => a - b)
    sets.set(places.join(), places)
  }
  return [...sets.values()]
}

function sizeOf(random: Random): number {
  const kind = random.next()
  if (kind < 0.05) return 1
  return kind < 0.85 ? 2 : 3 + random.below(4)
}
