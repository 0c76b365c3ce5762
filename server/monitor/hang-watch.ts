import { Worker } from 'node:worker_threads'
import type { Log } from '../log.js'
import type { Activity, ActivityMemory } from '../metrics/activity.js'

export interface ThreadData {
  readonly memory: ActivityMemory
  /** How long the loop stands still before that is logged. */
  readonly hangMs: number
  readonly logLevel: string
}

/** Requests in a line of the log. */
export const mostUnderWay = 10

const beatMs = 1000
// The thread compares one number and needs next to nothing.
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

export interface HangWatchOptions {
  readonly activity: Activity
  readonly hangMs: number
  readonly logLevel: string
  readonly log: Log
  /** Called once a second, as long as the event loop runs. */
  readonly beat: () => void
}

/** From now on the log says what this process is doing when its event loop hangs; only another thread can. */
export function watchForHangs({ activity, hangMs, logLevel, log, beat }: HangWatchOptions): void {
  const workerData: ThreadData = { memory: activity.memory, hangMs, logLevel }
  const thread = new Worker(new URL('./hang-thread.js', import.meta.url), { workerData, resourceLimits, execArgv: [] })
  thread.on('error', err => log.warn({ err }, 'hangs of the event loop are not logged any more'))
  thread.unref()
  setInterval(() => {
    activity.beat()
    beat()
  }, beatMs).unref()
}
