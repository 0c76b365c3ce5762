import type { Ledger } from './ledger.js'
import type { Reader } from './reader.js'
import type { StoredMessages } from './stored-messages.js'

/** The used part of tap's `t`. */
export interface Comparison {
  same(found: unknown, wanted: unknown, message: string): unknown
}

// Number of printed differences; the first ones suffice to find a common cause.
const mostTold = 12

/**
 * I1 and I2. In the database: acknowledged messages once, unanswered ones at most once, refused ones never. In every
 * queue: each stored message once, ids rising, and no message that its owner may not see. An event has one id in all
 * queues.
 */
export function countAll(t: Comparison, ledger: Ledger, readers: readonly Reader[], stored: StoredMessages): void {
  t.same(
    storingProblems(ledger, stored).slice(0, mostTold),
    [],
    `${stored.size} messages stored, as their senders were told`,
  )
  const ids = new Map<number, number>()
  const told = readers.flatMap(reader => {
    const problems = problemsOf(ledger, reader, ids, stored)
    const rest = problems.length > mostTold ? [`and ${problems.length - mostTold} more`] : []
    return [...problems.slice(0, mostTold), ...rest].map(problem => `${reader.name}: ${problem}`)
  })
  const events = readers.reduce((sum, { seen }) => sum + seen.length, 0)
  t.same(told, [], `${events} events at ${readers.length} readers: each once, in order, none missing, none leaked`)
}

function storingProblems({ sends }: Ledger, stored: StoredMessages): string[] {
  return sends.flatMap(({ number, outcome }) => {
    const times = stored.get(number)?.times ?? 0
    if (times > 1) return [`message ${number} is stored ${times} times`]
    if (times === 0 && outcome.kind === 'acknowledged') return [`message ${number} was acknowledged and is not stored`]
    if (times === 1 && outcome.kind === 'refused')
      return [`message ${number} is stored and was refused: ${outcome.why}`]
    return []
  })
}

function problemsOf(ledger: Ledger, reader: Reader, ids: Map<number, number>, stored: StoredMessages): string[] {
  const problems = [...reader.complaints]
  if (reader.lost) problems.push(`its queue was lost: ${reader.lost}`)
  const counted = new Set<number>()
  for (const { id, number, conversation, messageId } of reader.seen) {
    const what = `message ${number} (event ${id})`
    if (counted.has(number)) problems.push(`${what} came twice`)
    counted.add(number)
    if (!reader.sees.has(conversation)) problems.push(`${what} of ${conversation} is not for it`)
    const before = ids.get(number) ?? id
    ids.set(number, before)
    if (before !== id) problems.push(`${what} is event ${before} for others`)
    if (!stored.has(number)) problems.push(`${what} is not stored`)
    const outcome = ledger.sends[number]?.outcome
    if (outcome?.kind === 'acknowledged' && outcome.messageId !== messageId) {
      problems.push(`${what} is message ${messageId} here and ${outcome.messageId} to its sender`)
    }
  }
  for (const [number, { conversation }] of stored) {
    if (number >= reader.after && reader.sees.has(conversation) && !counted.has(number))
      problems.push(`message ${number} is missing`)
  }
  return problems
}
