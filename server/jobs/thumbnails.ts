import { makeThumbnails } from '../actions/pictures/make-thumbnails.js'
import type { WorkerCtx } from '../ctx.js'
import { thumbnails as type } from '../job-types/thumbnails.js'
import { jobKind, periodicKind } from './job-kind.js'
import type { JobRun } from './job-run.js'

async function makeAll(ctx: WorkerCtx, _: object, { signal }: JobRun): Promise<void> {
  while (!signal.aborted && (await makeThumbnails(ctx)));
}

/**
 * Makes the thumbnails of due pictures. The job names none: next is always the picture of the account whose pictures took least time lately
 * (`claimPicture`), so no account delays the others.
 */
export const thumbnails = jobKind(type, { seconds: 600, run: makeAll })

/** Pictures for which the decoder had no time, whose messages are looked at for a second time, or that a worker of 0.1.0 stored. */
export const remainingThumbnails = periodicKind('remaining-thumbnails', '*/15 * * * * *', {
  seconds: 600,
  run: makeAll,
})
