import { pruneArchive as prune } from '../actions/retention/prune-archive.js'
import { removeExpired } from '../actions/retention/remove-expired.js'
import { applyRetentionSettings } from '../actions/retention/terms.js'
import { applyRetention as type } from '../job-types/retention.js'
import { jobKind, periodicKind } from './job-kind.js'

/** A setting has changed: warns owners of a shorter time at once, and not at the next run of the periodic job. */
export const applyRetention = jobKind(type, { seconds: 300, run: applyRetentionSettings })

/** Archives messages that their channel, or else the organization, no longer keeps; they stay some minutes longer than that. */
export const removeExpiredMessages = periodicKind('remove-expired-messages', '*/10 * * * *', {
  seconds: 3600,
  run: (ctx, _, { signal }) => removeExpired(ctx, signal),
})

/** Deletes archived messages for good whose time is over. */
export const pruneArchive = periodicKind('prune-archive', '5-59/10 * * * *', {
  seconds: 3600,
  async run(ctx, _, { signal }) {
    while (!signal.aborted && (await prune(ctx)) > 0);
  },
})
