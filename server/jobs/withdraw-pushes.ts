import { withdraw } from '../actions/push/withdraw.js'
import { pruneOldPushed, usersWithPushed } from '../store/push/pushed-messages.js'
import { periodicKind } from './job-kind.js'

const keptMs = 14 * 86_400_000
// Longer than the pause between two runs, because a deletion may commit late.
const deletedMs = 600_000
const usersAtOnce = 100

/** Closes notifications of messages that were deleted. */
export const withdrawDeletedPushes = periodicKind('withdraw-deleted-pushes', '* * * * *', {
  run: (ctx, _, { signal }) => withdraw(ctx, { deletedSince: new Date(ctx.clock.now() - deletedMs) }, signal),
})

/** Closes notifications whose reading found no device (`withdrawRead`); forgets old ones. */
export const withdrawPushes = periodicKind('withdraw-pushes', '17 * * * *', {
  seconds: 600,
  async run(ctx, _, { signal }) {
    const before = new Date(ctx.clock.now() - keptMs)
    while (!signal.aborted && (await pruneOldPushed(ctx.sql, before)));
    for (let after = 0; !signal.aborted; ) {
      const users = await usersWithPushed(ctx.sql, after, usersAtOnce)
      await withdraw(ctx, { users }, signal)
      if (users.length < usersAtOnce) return
      after = users.at(-1) ?? after
    }
  },
})
