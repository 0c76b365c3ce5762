import { removeExpired } from '../actions/messages/remove-expired.js'
import { periodicKind } from './job-kind.js'

/** Deletes messages that their channel, or else the organization, no longer keeps; they stay some minutes longer than that. */
export const removeExpiredMessages = periodicKind('remove-expired-messages', '*/10 * * * *', {
  seconds: 3600,
  run: (ctx, _, { signal }) => removeExpired(ctx, signal),
})
