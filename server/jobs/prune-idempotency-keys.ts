import { pruneIdempotencyKeys } from '../store/messages/idempotency-keys.js'
import { periodicKind } from './job-kind.js'

/** Deletes keys of repeated sends after their lifetime, in batches. */
export const pruneKeys = periodicKind('prune-idempotency-keys', '* * * * *', {
  async run({ sql }, _, { signal }) {
    while (!signal.aborted && (await pruneIdempotencyKeys(sql)) > 0);
  },
})
