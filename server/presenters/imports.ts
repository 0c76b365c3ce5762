import type { ImportDetails, ImportPlan, ImportRequest } from '../../shared/resources/import-request.js'
import type { DetailedRequest, ImportRequestRow } from '../store/imports/import-requests.js'

/** An archive of another chat server on the wire. */
export const importObject = (row: ImportRequestRow): ImportRequest => ({
  id: row.id,
  acting_user_id: row.requester_id,
  requested: seconds(row.requested),
  ended: row.ended && seconds(row.ended),
  name: row.name,
  size: row.size,
  state: row.state,
  reason: row.reason,
  source: row.source,
  percent: percentOf(row),
})

// The times of what was stored as JSON are texts.
type Kept = Omit<ImportPlan, 'messages'> & {
  readonly messages: Omit<ImportPlan['messages'], 'first' | 'last'> & {
    readonly first: string | null
    readonly last: string | null
  }
  readonly faults: ImportDetails['faults']
}
interface StoredPlan {
  readonly checked: Kept
  readonly choosable: Pick<ImportDetails, 'people' | 'channels'>
}

/** The same with its plan and its report. */
export function importDetailsObject(row: DetailedRequest): ImportDetails {
  const plan = row.plan as StoredPlan | null
  const written = (row.faults ?? []) as ImportDetails['faults']
  return {
    ...importObject(row),
    plan: plan && planOf(plan.checked),
    people: plan?.choosable.people ?? [],
    channels: plan?.choosable.channels ?? [],
    written: row.written ?? {},
    can_be_undone: row.done !== null && (row.state === 'finished' || row.state === 'failed'),
    undone: row.undone,
    faults: [...(plan?.checked.faults ?? []), ...written],
  }
}

function planOf({ faults: _, messages, ...checked }: Kept): ImportPlan {
  const time = (text: string | null) => text && seconds(new Date(text))
  return { ...checked, messages: { ...messages, first: time(messages.first), last: time(messages.last) } } as ImportPlan
}

function percentOf({ state, done, records }: ImportRequestRow): number | null {
  if (state !== 'running') return null
  return Math.floor((100 * (done ?? 0)) / Math.max(1, records ?? 1))
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
