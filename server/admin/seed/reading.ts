import type { SeededReading } from '../../store/seeding/seeding-messages.js'
import type { Random } from './random.js'

/**
 * How far each user has read: most users nearly to the end, some stopped long ago, some left a gap.
 * @param ids message ids, ascending
 */
export function makeReadings(random: Random, userIds: readonly number[], ids: readonly number[]): SeededReading[] {
  const at = (share: number) => ids[Math.min(Math.floor(share * ids.length), ids.length - 1)] ?? 0
  return userIds.map(userId => {
    const share = random.chance(0.8) ? 1 - random.next() * 0.05 : random.next()
    const gap = share * random.next()
    const hasGap = random.chance(0.3)
    return { userId, upTo: at(share), gapFrom: at(gap), gapTo: hasGap ? at(gap + 0.002) : at(gap) }
  })
}
