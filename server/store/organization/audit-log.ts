import { asJson } from '../driver/as-json.js'
import type { ISql } from '../driver/db.js'

/** A change in the audit log. It never contains keys, passwords or message texts. */
export interface AuditEntry {
  readonly actor_id: number | null
  /** The operating system's user that ran an administration command. */
  readonly operator?: string
  readonly operation: string
  readonly request_id: string
  readonly address: string
  readonly event: string
  /** Ids of the changed objects: `{"user_id": 5}`. */
  readonly subject: Record<string, unknown>
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}

export interface AuditRow extends AuditEntry {
  readonly id: number
  readonly at: Date
  /** '' for a change that no administration command made. */
  readonly operator: string
}

export interface AuditFilter {
  /** Whose changes. */
  readonly actorId?: number | undefined
  /** The changed user. */
  readonly userId?: number | undefined
  readonly event?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** Only rows with a lower id, for the next page. */
  readonly before?: number | undefined
  readonly limit: number
}

/** The caller calls this in the transaction of the change, so that the change and its entries commit together. */
export async function insertAuditEntries(sql: ISql, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await sql`${insertion(sql, entries)}`
}

/** As `insertAuditEntries`, a part of a statement. */
export const auditPart = (sql: ISql, entries: readonly AuditEntry[]) => sql`audited as (${insertion(sql, entries)})`

const insertion = (sql: ISql, entries: readonly AuditEntry[]) => sql`
  insert into audit_log (actor_id, operator, operation, request_id, address, event, subject, before, after)
  select actor_id, coalesce(operator, ''), operation, request_id, address, event, subject, before, after
  from jsonb_to_recordset(${asJson(sql, entries)}) as given (actor_id integer, operator text, operation text,
    request_id text, address text, event text, subject jsonb, before jsonb, after jsonb)`

/** Reads entries, newest first. */
export async function readAuditLog(sql: ISql, filter: AuditFilter): Promise<AuditRow[]> {
  const { actorId, userId, event, since, until, before, limit } = filter
  return sql<AuditRow[]>`
    select id, at, actor_id, operator, operation, request_id, address, event, subject, before, after
    from audit_log
    where true
      ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
      ${userId === undefined ? sql`` : sql`and subject ? 'user_id' and subject -> 'user_id' = to_jsonb(${userId}::integer)`}
      ${event === undefined ? sql`` : sql`and event = ${event}`}
      ${since ? sql`and at >= ${since}` : sql``} ${until ? sql`and at < ${until}` : sql``}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`
}

// Rows per call; deleting 1,000 rows takes a few milliseconds.
const batch = 1000

/** Deletes up to `batch` rows older than `olderThan`; returns the number of deleted rows. */
export async function pruneAuditLog(sql: ISql, olderThan: Date): Promise<number> {
  const { count } = await sql`
    delete from audit_log where id in (select id from audit_log where at < ${olderThan} order by at limit ${batch})`
  return count
}
