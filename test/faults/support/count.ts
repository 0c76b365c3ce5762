import type { Ledger } from './ledger.js'
import type { Reader } from './reader.js'

/** What this needs of tap's `t`. */
export interface Comparison {
  same(found: unknown, wanted: unknown, message: string): unknown
}

// A failure of all is told well enough by the first ones.
const mostTold = 12

/**
 * I1 and I2 for every queue: each acknowledged message once, ids rising, none of those that its owner may not see; what was
 * never answered at most once; what was refused not at all. And an event has one id for all queues.
 */
export function countAll(t: Comparison, ledger: Ledger, readers: readonly Reader[]): void {
  const ids = new Map<number, number>()
  const told = readers.flatMap(reader => {
    const problems = problemsOf(ledger, reader, ids)
    const rest = problems.length > mostTold ? [`and ${problems.length - mostTold} more`] : []
    return [...problems.slice(0, mostTold), ...rest].map(problem => `${reader.name}: ${problem}`)
  })
  const events = readers.reduce((sum, { seen }) => sum + seen.length, 0)
  t.same(told, [], `${events} events at ${readers.length} readers: each once, in order, none missing, none leaked`)
}

function problemsOf(ledger: Ledger, reader: Reader, ids: Map<number, number>): string[] {
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
    const outcome = ledger.sends[number]?.outcome
    if (outcome?.kind === 'refused') problems.push(`${what} had been refused: ${outcome.why}`)
    if (outcome?.kind === 'acknowledged' && outcome.messageId !== messageId) {
      problems.push(`${what} is message ${messageId} here and ${outcome.messageId} to its sender`)
    }
  }
  for (const { number } of ledger.acknowledgedIn(reader.sees)) {
    if (!counted.has(number)) problems.push(`message ${number} is missing`)
  }
  return problems
}
