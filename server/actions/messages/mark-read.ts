import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { Reader } from '../../policies/reading.js'
import { condense } from '../../store/reading/condense.js'
import { isOneBlock, type Marked, readAllParts, readParts, unreadAmong } from '../../store/reading/mark-read.js'
import { endOfBlocks } from '../../store/reading/read-blocks.js'
import { newestSettled, unreadIds } from '../../store/reading/read-state.js'
import { withdrawRead } from '../push/withdraw.js'
import { writeAtOnce } from '../write-at-once.js'

// Messages per statement; as many as a register answer contains.
const idsAtOnce = 50_000

/** What is known of messages: that all are unread, because the caller has just read that, or that probably all are. */
export type ReadBefore = 'unread' | 'probably unread'

/**
 * Marks those of the messages as read that the user received and has not read, emits their ids, and returns them.
 * @param given ascending, without duplicates
 */
export async function markRead(
  ctx: Ctx,
  { userId, receivable }: Pick<Reader, 'userId' | 'receivable'>,
  given: readonly number[],
  state: ReadBefore,
): Promise<readonly number[]> {
  const ids = given.filter(id => id < endOfBlocks)
  let unread = ids
  let isFirst = true
  const marked = await writeAtOnce<Marked>(ctx, {
    async prepare(sql, emit) {
      const asks = state === 'probably unread' && isFirst && isOneBlock(ids)
      const reads = !asks && state !== 'unread'
      isFirst = false
      if (reads) unread = await unreadAmong(sql, userId, ids)
      if (unread.length === 0) return null
      emit(flagsAdd, { flag: 'read', messages: unread, all: false }, [userId])
      return within => readParts(within, userId, unread, asks)
    },
  })
  if (marked) withdrawRead(ctx, userId, unread)
  if (marked?.crowded) condenseLater(ctx, { userId, receivable }, marked.crowded)
  return unread
}

/** No answer waits for this. After a failure, the next statement that marks messages of the block as read finds that it is due. */
function condenseLater(ctx: Ctx, reader: Pick<Reader, 'userId' | 'receivable'>, blocks: readonly number[]): void {
  ctx
    .write(async tx => {
      for (const block of blocks) await condense(tx, reader, block)
    })
    .catch(error => logFailure(ctx, error, 'the read state of a user was not condensed'))
}

/** Marks the unread messages of the narrow as read. @returns whether there were any */
export async function markNarrowRead(ctx: Ctx, reader: Reader, narrow: Narrow): Promise<boolean> {
  for (let from = 0; ; ) {
    const ids = await unreadIds(ctx.sql, narrow, from, idsAtOnce)
    if (ids.length > 0) await markRead(ctx, reader, ids, 'unread')
    if (ids.length < idsAtOnce) return from > 0 || ids.length > 0
    from = (ids.at(-1) ?? 0) + 1
  }
}

/** Marks all messages as read: up to the newest settled message as one range, the newer ones by id. */
export async function markAllRead(ctx: Ctx, { userId, receivable }: Reader): Promise<void> {
  const everything: Narrow = { userId, receivable, scope: 'received', conditions: [] }
  const marked = await writeAtOnce(ctx, {
    async prepare(sql, emit) {
      const settled = await newestSettled(sql)
      const newer = await unreadIds(sql, everything, settled + 1, Number.MAX_SAFE_INTEGER)
      emit(flagsAdd, { flag: 'read', messages: [], all: true }, [userId])
      return within => readAllParts(within, userId, settled, newer)
    },
  })
  if (marked) withdrawRead(ctx, userId)
}
