import type { Ctx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import type { Trace } from '../log.js'
import { type NewOutboxRow, type OutboxedRow, readOutbox, type StoredEvents } from '../store/organization/outbox.js'

/** The events that one committed statement has stored. */
interface Committed {
  readonly events: StoredEvents
  readonly entries: readonly NewOutboxRow[]
  /** `knownRows.noted` before the statement. */
  readonly noted: number
  readonly trace: Trace | undefined
}

/**
 * Publishes stored events after those of earlier commits that no worker may have published yet, because this change may build on theirs. It
 * does not fail: the change is committed, and events that are not published here are published from the outbox.
 */
export async function publishStored(
  ctx: Pick<Ctx, 'sql' | 'realtime' | 'log'>,
  { events: { rows, earlier }, entries, noted, trace }: Committed,
): Promise<void> {
  const { realtime } = ctx
  const own = rows.map(({ id, xid }, i) => ({ ...(entries[i] as NewOutboxRow), outboxId: id, xid, trace }))
  const before = earlier ? await earlierRows(ctx, realtime.knownRows.before({ ...earlier, noted })) : []
  if (before) realtime.publish([...before, ...own])
  else realtime.publishBehindOutbox(own)
}

/** Null: the rows could not be read. They wait in the outbox, and so do all later events. */
async function earlierRows(
  ctx: Pick<Ctx, 'sql' | 'log'>,
  ids: readonly number[] | null,
): Promise<readonly OutboxedRow[] | null> {
  if (!ids || ids.length === 0) return ids && []
  try {
    return await readOutbox(ctx.sql, ids)
  } catch (error) {
    logFailure(ctx, error, 'earlier events are left to the sweep of the outbox')
    return null
  }
}
