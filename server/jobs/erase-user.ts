import { eraseData } from '../actions/users/erasure/erase.js'
import { eraseUser as type } from '../job-types/erase-user.js'
import { jobKind } from './job-kind.js'

/** Erases what belongs to a person whose account has no profile any more, and fails as long as it finds anything left (docs/erasure.md). */
export const eraseUser = jobKind(type, {
  seconds: 3600,
  async run(ctx, erasure, { signal }) {
    await ctx.directory.fresh()
    await eraseData(ctx, erasure, signal)
  },
})
