import { mailFromLastQueue } from '../actions/notify/last-queue.js'
import { lastQueue as type } from '../job-types/notify.js'
import { jobKind } from './job-kind.js'

/** The last queue of a user was collected: what would have been mailed without it is mailed. */
export const lastQueue = jobKind(type, {
  guarantee: 'exactly once',
  atOnce: 2,
  async run(ctx, payload, run) {
    await ctx.directory.fresh()
    await run.write((tx, _, { after }) => mailFromLastQueue(ctx, tx, after, payload))
  },
})
