import { sendDigests } from '../actions/digests/send-digests.js'
import { periodicKind } from './job-kind.js'

/** Mails digests each day on which the organization has them. A repeated run leaves out people that the first one has reached. */
export const digests = periodicKind('digests', '0 6 * * *', {
  seconds: 900,
  run: (ctx, _, { signal }) => sendDigests(ctx, signal),
})
