import { removeBytes } from '../actions/files/clean-files.js'
import { periodicKind } from './job-kind.js'

/** Removes the bytes of files that no row names any more, within 20 s. */
export const removeFiles = periodicKind('remove-files', '*/20 * * * * *', {
  seconds: 600,
  async run(ctx, _, { signal }) {
    while (!signal.aborted && (await removeBytes(ctx)) > 0);
  },
})
