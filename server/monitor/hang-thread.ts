// A thread of a worker that detects a hang of the main thread's event loop and logs the running requests.
import { workerData } from 'node:worker_threads'
import { createLog } from '../log.js'
import { underWay } from '../metrics/activity.js'
import { mostUnderWay, type ThreadData } from './hang-watch.js'
import { Silence } from './silence.js'

const checkIntervalMs = 500

watch(workerData as ThreadData)

function watch({ memory, hangMs, logLevel }: ThreadData): void {
  const log = createLog(logLevel, 'worker')
  const silence = new Silence(checkIntervalMs)
  let pulse = -1
  let isLogged = false
  setInterval(() => {
    const now = Atomics.load(memory.pulse, 0)
    silence.check()
    if (now !== pulse) {
      pulse = now
      silence.answered()
      isLogged = false
    } else if (silence.ms >= hangMs && !isLogged) {
      isLogged = true
      log.error({ ms: Math.round(silence.ms), underWay: underWay(memory, mostUnderWay) }, 'the event loop hangs')
    }
  }, checkIntervalMs)
}
