import type { Tx } from '../driver/db.js'
import { newVersions } from '../driver/directory-lease.js'
import { joinParts } from '../driver/join-parts.js'
import { type AuditEntry, auditPart } from '../organization/audit-log.js'
import {
  eventParts,
  type NewOutboxRow,
  type StoredEvents,
  type StoredRow,
  storedEvents,
} from '../organization/outbox.js'
import { jobsPart, type NewJob } from './jobs.js'

/** What a transaction stores because of its changes. */
interface Consequences {
  readonly audit: readonly AuditEntry[]
  readonly jobs: readonly NewJob[]
  readonly events: readonly NewOutboxRow[]
}

interface Stored {
  /** In the order of the jobs. */
  readonly jobIds: readonly number[]
  /** Null: there are none. */
  readonly events: StoredEvents | null
}

/**
 * Stores all consequences of a transaction, and the new versions of what it has changed, in one statement, which comes last. The caller waits
 * for `leasesEnded` before the commit. `above`: as for `eventParts`.
 */
export async function storeConsequences(tx: Tx, { audit, jobs, events }: Consequences, above: number): Promise<Stored> {
  const parts = [
    ...newVersions(tx),
    ...(audit.length > 0 ? [auditPart(tx, audit)] : []),
    ...(jobs.length > 0 ? [jobsPart(tx, jobs)] : []),
    ...(events.length > 0 ? [eventParts(tx, events, above)] : []),
  ]
  if (parts.length === 0) return { jobIds: [], events: null }
  const jobIds = jobs.length > 0 ? tx`(select array_agg(id order by id) from jobs_added)` : tx`null::bigint[]`
  const rest = events.length > 0 ? tx`, stored.* from stored` : tx``
  const [row] = await tx<(StoredRow & { job_ids: number[] | null })[]>`
    with ${joinParts(tx, parts)} select ${jobIds} as job_ids ${rest}`
  return { jobIds: row?.job_ids ?? [], events: row && events.length > 0 ? storedEvents(row) : null }
}
