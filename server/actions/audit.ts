import type { AuditedState } from '../../shared/events/audit.js'
import type { Origin } from '../ctx.js'
import type { Emission } from '../realtime/emission.js'
import type { AuditEntry } from '../store/audit-log.js'

/** The audit-log rows for the events of one transaction, each change once. `before`: the directory without the changes. */
export function auditEntries(
  events: readonly Pick<Emission, 'def' | 'payload'>[],
  before: AuditedState,
  { userId, operation, requestId, address }: Origin,
): AuditEntry[] {
  const seen = new Set<string>()
  return events.flatMap(({ def: { name: event, audit }, payload }) =>
    (audit?.(payload, before) ?? []).flatMap(change => {
      // The same change may be emitted in several events, for different audiences.
      const key = JSON.stringify([event, change])
      if (seen.has(key)) return []
      seen.add(key)
      return [{ actor_id: userId, operation, request_id: requestId, address, event, ...change }]
    }),
  )
}
