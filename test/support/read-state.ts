import type { Tx } from '../../server/store/driver/db.js'
import { placedMessages } from '../../server/store/messages/message-rows.js'
import { runParts } from '../../server/store/organization/outbox.js'
import { placesOf } from '../../server/store/reading/held-places.js'
import { type Marked, readAllParts, readParts } from '../../server/store/reading/mark-read.js'
import { unreadParts } from '../../server/store/reading/mark-unread.js'

// The statements of the read state in a transaction of the test, without their events.

/** @param ids ascending */
export const read = (tx: Tx, userId: number, ids: readonly number[]) =>
  runParts<Marked>(tx, readParts(tx, userId, ids, false))

/** Marks every id up to a message as read. */
export const readUpTo = (tx: Tx, userId: number, id: number) => runParts(tx, readAllParts(tx, userId, id, []))

export async function unread(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  const rows = await placedMessages(tx, userId, ids)
  const [organization] = await tx<{ version: number }[]>`select version from organization`
  await runParts(tx, unreadParts(tx, userId, placesOf(rows, organization?.version ?? 0), []))
}
