import { removeForgotten } from '../actions/files/clean-files.js'
import { deleteExpired } from '../store/files/resumable-uploads.js'
import { periodicKind } from './job-kind.js'

/** Removes files that no message has used for weeks, and what dead writers and unfinished uploads left. */
export const forgetFiles = periodicKind('forget-files', '0 */6 * * *', {
  seconds: 3600,
  async run(ctx, _, { signal }) {
    while (!signal.aborted && (await removeForgotten(ctx)) > 0);
    await ctx.storage.removeUnfinished()
    await deleteExpired(ctx.sql)
  },
})
