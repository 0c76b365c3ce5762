import { withdraw } from '../actions/push/withdraw.js'
import { pruneOldPushed } from '../store/push/pushed-messages.js'
import { periodicKind } from './job-kind.js'

const keptMs = 14 * 86_400_000

/** Closes notifications whose messages were deleted, or whose reading found no device (`withdrawRead`); forgets old ones. */
export const withdrawPushes = periodicKind('withdraw-pushes', '* * * * *', {
  async run(ctx, _, { signal }) {
    while (!signal.aborted && (await withdraw(ctx, null)));
    const before = new Date(ctx.clock.now() - keptMs)
    while (!signal.aborted && (await pruneOldPushed(ctx.sql, before)));
  },
})
