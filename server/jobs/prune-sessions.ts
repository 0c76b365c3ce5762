import { pruneSessions as prune } from '../store/accounts/sessions.js'
import { periodicKind } from './job-kind.js'

/** Deletes expired sessions, in batches. */
export const pruneSessions = periodicKind('prune-sessions', '17 3 * * *', {
  async run({ sql, clock }, _, { signal }) {
    while (!signal.aborted && (await prune(sql, new Date(clock.now()))) > 0);
  },
})
