import type { ISql, Tx } from '../driver/db.js'

/** What a worker sees before it decides who is notified. */
interface Undecided {
  /** The newest id that a message got, also of a transaction that is still running. */
  readonly newest: number
  /** It is decided who is notified of the messages up to this id. */
  readonly decided: number
  /** A transaction id that is taken after `newest` was read; null: all is decided. */
  readonly xid: number | null
  /** Edits have added mentions. */
  readonly hasNewMentions: boolean
}

export async function readUndecided(sql: ISql): Promise<Undecided> {
  // The select around the others gets their rows before it takes a transaction id.
  const [row] = await sql<Undecided[]>`
    with newest as materialized (select case when is_called then last_value else 0 end as id from messages_id_seq),
      progress as materialized (select message_id from notification_progress)
    select newest.id as newest, message_id as decided,
      case when newest.id > message_id then pg_current_xact_id()::text::bigint end as xid,
      exists (select from new_mentions) as "hasNewMentions"
    from newest, progress`
  if (!row) throw new Error('notification_progress has no row')
  return row
}

/**
 * Locks the progress: one transaction at a time decides. `xmin`: all transactions below it had ended when the statement began, so before
 * those that follow.
 */
export async function holdProgress(tx: Tx): Promise<{ decided: number; xmin: number }> {
  const [row] = await tx<{ decided: number; xmin: number }[]>`
    select message_id as decided, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin
    from notification_progress for update -- who is notified`
  if (!row) throw new Error('notification_progress has no row')
  return row
}

/** It is decided who is notified of the messages up to this id. */
export async function advanceProgress(tx: Tx, messageId: number): Promise<void> {
  await tx`update notification_progress set message_id = ${messageId} -- who is notified`
}

/** After an insert of messages of which no user is notified, in its transaction. */
export async function skipToNewest(tx: Tx): Promise<void> {
  // In a subquery: an update locks the rows of its `from`, which a sequence does not allow.
  await tx`
    update notification_progress
    set message_id = greatest(message_id, (select last_value from messages_id_seq where is_called))`
}
