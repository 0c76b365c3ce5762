import { warnOfQuotas as warn } from '../actions/files/warn-of-quotas.js'
import { periodicKind } from './job-kind.js'

/** Warns of quotas for files that are nearly used up. */
export const warnOfQuotas = periodicKind('warn-of-quotas', '3-59/10 * * * *', {
  async run(ctx) {
    await ctx.directory.fresh()
    await warn(ctx)
  },
})
