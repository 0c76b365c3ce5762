import { Worker } from 'node:worker_threads'
import type { Log } from '../log.js'
import type { Activity, ActivityMemory } from '../metrics/activity.js'

/** What the thread gets at its start. */
export interface ThreadData {
  readonly memory: ActivityMemory
  /** How long the event loop hangs before the thread logs it. */
  readonly hangMs: number
  readonly logLevel: string
}

/** Largest number of requests in a log line. */
export const mostUnderWay = 10

const beatMs = 1000
// The thread only compares one number, so it needs little memory.
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

interface HangWatchOptions {
  readonly activity: Activity
  readonly hangMs: number
  readonly logLevel: string
  readonly log: Log
  /** Called once a second while the event loop runs. */
  readonly beat: () => void
}

/** Starts a thread that logs the running requests when the event loop of this process hangs. */
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
