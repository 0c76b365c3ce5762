import { downloadDue } from '../transfer/writer/downloads.js'
import { periodicKind } from './job-kind.js'

/** Downloads the files of archives that were imported, a few at once, as long as some are due. */
export const importFiles = periodicKind('import-files', '*/15 * * * * *', {
  seconds: 1800,
  async run(ctx, _, { signal }) {
    while (!signal.aborted && (await downloadDue(ctx, signal)) > 0);
  },
})
