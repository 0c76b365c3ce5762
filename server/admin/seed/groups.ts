import type { SeededGroup } from '../../store/seeding/seeding.js'
import type { Random } from './random.js'
import { subjects } from './words.js'

const peoplePerGroup = 200
const leastGroups = 6
/** Groups in a chain in which each contains the next one. */
const depth = 4

/**
 * The first group contains half of all people as direct members, the next ones are nested, followed by teams of very different sizes and a
 * deactivated group.
 * @param people indexes of active people, from which members are drawn
 * @param first a number that no group name contains yet
 */
export function makeGroups(random: Random, people: readonly number[], first: number): SeededGroup[] {
  const count = Math.max(leastGroups, Math.round(people.length / peoplePerGroup))
  const half = people.filter((_, i) => i % 2 === 0)
  return Array.from({ length: count }, (_, i) => {
    const isNested = i >= 1 && i < depth
    return {
      name: i === 0 ? `half of all ${first}` : `${random.pick(subjects)} team ${first + i}`,
      description: i === 0 ? 'Every second account.' : 'Made to measure with.',
      deactivated: i === count - 1,
      creator: 0,
      members: i === 0 ? half : drawn(random, people, isNested ? 5 : 3 + random.skewed(peoplePerGroup)),
      subgroups: isNested ? [i + 1] : [],
    }
  })
}

function drawn(random: Random, people: readonly number[], size: number): number[] {
  const members = new Set<number>()
  for (let i = 0; i < size; i++) members.add(random.pick(people))
  return [...members]
}
