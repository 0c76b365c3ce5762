import { mailMissed } from '../actions/notify/mail-missed.js'
import { addRemainingMails } from '../actions/notify/missed-mails.js'
import { missedMessages as type } from '../job-types/notify.js'
import { pruneMissed } from '../store/notify/missed-messages.js'
import { jobKind, periodicKind } from './job-kind.js'

// A queue lives for a week at most; messages of it may be found missed until then (actions/notify/last-queue.ts).
const keptMs = 8 * 86_400_000
const rowsTogether = 10_000

/** The end of the period for which missed messages of a user were collected: mails those that the user still has to get. */
export const missedMessages = jobKind(type, {
  guarantee: 'exactly once',
  atOnce: 4,
  attempts: 36,
  async run(ctx, { user }, run) {
    await ctx.directory.fresh()
    await run.write((tx, _, { after }) => mailMissed(ctx, tx, after, user))
  },
})

/** Further messages add no job while a mail waits: without this, a job that died would end the mails of its user. */
export const remainingMissedMails = periodicKind('remaining-missed-mails', '40 * * * *', {
  run: ctx => ctx.write((tx, _, { after }) => addRemainingMails(tx, after)),
})

/** Forgets which messages were mailed. */
export const pruneMissedMessages = periodicKind('prune-missed-messages', '25 * * * *', {
  async run({ sql, clock }, _, { signal }) {
    const before = new Date(clock.now() - keptMs)
    while (!signal.aborted && (await pruneMissed(sql, before, rowsTogether)) === rowsTogether);
  },
})
