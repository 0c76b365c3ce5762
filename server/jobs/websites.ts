import { WebsiteReader } from '../actions/messages/read-websites.js'
import { budgets } from '../config/budgets.js'
import type { WorkerCtx } from '../ctx.js'
import { websites as type } from '../job-types/websites.js'
import { type JobKind, jobKind, periodicKind } from './job-kind.js'
import type { JobRun } from './job-run.js'

/**
 * Reads the websites of due messages. The job names no message: senders take turns (`claimWebsiteWork`), so no sender delays the others. The
 * second kind finds the messages that wait for a busy host or for the sender's next minute, and those that a worker of 0.1.0 stored.
 */
export function websiteKinds(): readonly JobKind[] {
  const reader = new WebsiteReader()
  const run = async (ctx: WorkerCtx, _: object, { signal }: JobRun): Promise<void> => {
    while (!signal.aborted && (await reader.readNext(ctx, signal)));
  }
  return [
    jobKind(type, { atOnce: budgets.websitesAtOnce.most, seconds: 600, run }),
    periodicKind('remaining-websites', '*/15 * * * * *', { seconds: 600, run }),
  ]
}
