import type { Sql } from '../../../server/store/driver/db.js'
import type { Comparison } from './count.js'
import type { Reader } from './reader.js'
import { storedMessages } from './stored-messages.js'

interface Readers {
  readonly others: readonly Reader[]
  readonly gone: readonly Reader[]
  readonly isEndLost?: boolean
}

/**
 * Checks readers that lost their queue and readers that did not: before the loss no reader has a gap, and every event
 * has the same unique id in all queues.
 * With `isEndLost` Redis may have lost its newest events while no worker had them: these were published again with
 * other ids, and exactly the readers that had received them must have lost their queues.
 */
export async function countUntilLoss(
  t: Comparison,
  sql: Sql,
  { others, gone, isEndLost = false }: Readers,
): Promise<void> {
  const stored = await storedMessages(sql)
  const problems: string[] = []
  const ids = new Map<number, number>()
  const numbers = new Map<number, number>()
  for (const { name, seen } of isEndLost ? others : [...others, ...gone]) {
    for (const { id, number } of seen) {
      if ((ids.get(number) ?? id) !== id)
        problems.push(`${name}: message ${number} is event ${id} and ${ids.get(number)}`)
      if ((numbers.get(id) ?? number) !== number)
        problems.push(`${name}: event ${id} is message ${number} and ${numbers.get(id)}`)
      ids.set(number, id)
      numbers.set(id, number)
    }
  }
  for (const { name, seen, sees, loss, complaints, after } of gone) {
    problems.push(...complaints.map(complaint => `${name}: ${complaint}`))
    const before = seen.slice(0, loss?.seen)
    const had = new Set(before.map(({ number }) => number))
    const newest = before.at(-1)
    if (isEndLost && newest && newest.id === loss?.lastId && ids.get(newest.number) === newest.id)
      problems.push(`${name}: was told that its queue is gone, and its last event is still there`)
    const last = before.at(-1)?.id ?? 0
    for (const [number, { conversation }] of stored) {
      if (number < after || !sees.has(conversation) || had.has(number)) continue
      if ((ids.get(number) ?? Number.POSITIVE_INFINITY) < last) problems.push(`${name}: message ${number} is missing`)
    }
  }
  t.same(problems.slice(0, 12), [], `${gone.length} readers were told that their queue is gone, and had no gap before`)
}
