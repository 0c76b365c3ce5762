import type { AuditedState } from '../../shared/events/audit.js'
import type { EventDef } from '../../shared/events/event.js'
import type { Origin } from '../ctx.js'
import type { AuditEntry } from '../store/organization/audit-log.js'

/** An event, or what stands for one, as far as the audit log needs it. */
export interface Audited {
  readonly def: Pick<EventDef<object>, 'name' | 'audit'>
  readonly payload: object
}

/** The audit-log rows for the changes of one transaction, each change once. `before`: the directory without the changes. */
export function auditEntries(
  changes: readonly Audited[],
  before: AuditedState,
  { userId, operation, requestId, address, operator }: Origin,
): AuditEntry[] {
  const seen = new Set<string>()
  return changes.flatMap(({ def: { name: event, audit }, payload }) =>
    (audit?.(payload, before) ?? []).flatMap(change => {
      // The same change may be emitted in several events, for different audiences.
      const key = JSON.stringify([event, change])
      if (seen.has(key)) return []
      seen.add(key)
      return [{ actor_id: userId, operator, operation, request_id: requestId, address, event, ...change }]
    }),
  )
}
