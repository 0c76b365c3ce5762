import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Ctx } from '../../ctx.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { Reader } from '../../policies/reading.js'
import { holdFlags, markRead, markReadUpTo, newestSettled, unreadIds } from '../../store/reading/read-state.js'

// Messages per transaction; as many as a register answer contains.
const idsAtOnce = 50_000

/** Marks the unread messages of the narrow as read. */
export async function markNarrowRead(ctx: Ctx, reader: Reader, narrow: Narrow): Promise<void> {
  for (let from = 0; ; ) {
    const ids = await ctx.write(async (tx, emit) => {
      await holdFlags(tx, reader.userId)
      const unread = await unreadIds(tx, narrow, from, idsAtOnce)
      if (unread.length > 0) {
        await markRead(tx, reader.userId, unread, reader.receivable)
        emit(flagsAdd, { flag: 'read', messages: unread, all: false }, [reader.userId])
      }
      return unread
    })
    if (ids.length < idsAtOnce) return
    from = (ids.at(-1) ?? 0) + 1
  }
}

/** Marks all messages as read: up to the newest settled message as one range, the newer ones by id. */
export async function markAllRead(ctx: Ctx, reader: Reader): Promise<void> {
  await ctx.write(async (tx, emit) => {
    await holdFlags(tx, reader.userId)
    const settled = await newestSettled(tx)
    const hasSettled = settled > 0 && (await markReadUpTo(tx, reader.userId, settled))
    const everything: Narrow = {
      userId: reader.userId,
      receivable: reader.receivable,
      scope: 'received',
      conditions: [],
    }
    const newer = await unreadIds(tx, everything, settled + 1, Number.MAX_SAFE_INTEGER)
    if (newer.length > 0) await markRead(tx, reader.userId, newer, reader.receivable)
    if (hasSettled || newer.length > 0) emit(flagsAdd, { flag: 'read', messages: [], all: true }, [reader.userId])
  })
}
