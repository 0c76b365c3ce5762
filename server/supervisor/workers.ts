import { setTimeout as sleep } from 'node:timers/promises'
import { Backoff } from '../embedded/backoff.js'
import type { Log } from '../log.js'
import { MachineMonitor } from '../monitor/machine-monitor.js'
import { DecodeTurns } from './decode-turns.js'
import { Watchdog } from './watchdog.js'
import { cleanExit, drainWorker, forkWorker, typeOf, type Worker } from './worker-process.js'

/** The worker processes, which share one port. */
interface Workers {
  /** Resolves when all workers listen; rejects with {StartError} if one ends before it listens. */
  readonly listening: Promise<void>
  /** Replaces the workers one by one: a new worker listens before the supervisor asks the old one to stop. */
  roll(): Promise<void>
  /** Lets the workers drain; kills them if `killNow` aborts or the drain takes too long. */
  stop(killNow: AbortSignal): Promise<void>
}

interface WorkersOptions {
  readonly count: number
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
  /** A worker whose event loop hangs for this time is killed and replaced. */
  readonly hangMs: number
  /** Memory limit of one worker process. */
  readonly memoryBytes: number
}

// A worker that listened for this time was able to serve, so its replacement starts without a longer pause.
const steadyMs = 1000
// Pause between two replacements for memory: under a load that needs more memory than the limit, they would never end.
const memoryPauseMs = 60_000

/** Starts the workers; once they listen, each one that dies, hangs or runs out of memory is replaced. */
export function startWorkers({ count, env, log, hangMs, memoryBytes }: WorkersOptions): Workers {
  const workers = new Set<Worker>()
  const monitor = new MachineMonitor()
  const decodeTurns = new DecodeTurns(count)
  const stopping = new AbortController()
  const watchdog = new Watchdog(hangMs, (worker, silentMs) => {
    log.error({ worker: worker.process.pid, ms: Math.round(silentMs) }, 'a worker hangs: ending it')
    worker.replacedFor = 'hang'
    worker.process.kill('SIGKILL')
  })

  const launch = (): Worker => {
    const worker = forkWorker(env, memoryBytes)
    workers.add(worker)
    monitor.add(worker.process)
    decodeTurns.add(worker.process)
    watchdog.watch(worker)
    worker.process.on('message', message => {
      if (typeOf(message) === 'near-memory-limit') void renew(worker)
    })
    void worker.exited.then(how => {
      workers.delete(worker)
      const { pid } = worker.process
      if (worker.isDraining && how === cleanExit) return
      log.error(`worker ${pid} ${how}`)
      // The other workers can adopt its queues at once, without waiting for the end of its lease.
      for (const { process } of workers) if (process.connected) process.send({ type: 'worker-died', pid }, ignore)
    })
    return worker
  }

  /** Replaces a worker whenever it dies, until the supervisor asks it to stop. */
  const keep = async (worker: Worker) => {
    const backoff = new Backoff()
    for (let current = worker; ; current = launch()) {
      let listensSince = Number.POSITIVE_INFINITY
      current.listening.then(() => {
        listensSince = performance.now()
      }, ignore)
      await current.exited
      if (current.isDraining) return
      if (performance.now() - listensSince > steadyMs) backoff.reset()
      await backoff.wait(stopping.signal)
      if (stopping.signal.aborted) return
      monitor.restarts++
      monitor.replaced[current.replacedFor]++
    }
  }

  let replacing = Promise.resolve()
  /** Replaces a worker; replacements run one after another. False: the old worker stays, or has ended by itself. */
  const replace = (old: Worker): Promise<boolean> => {
    const replaced = replacing.then(async () => {
      if (stopping.signal.aborted || old.isDraining || !workers.has(old)) return false
      const successor = launch()
      try {
        await successor.listening
      } catch (error) {
        log.error(error, 'a new worker does not start: the old one stays')
        return false
      }
      // If the old worker has died meanwhile, `keep` has already started a replacement.
      const isNeeded = workers.has(old)
      if (isNeeded) void keep(successor)
      await drainWorker(isNeeded ? old : successor, stopping.signal)
      if (isNeeded) monitor.replacements++
      return isNeeded
    })
    replacing = replaced.then(ignore)
    return replaced
  }

  let renewedAt = Number.NEGATIVE_INFINITY
  /** Replaces a worker that is near its memory limit. */
  const renew = async (worker: Worker): Promise<void> => {
    const pause = renewedAt + memoryPauseMs - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(ignore)
    worker.replacedFor = 'memory'
    if (!(await replace(worker))) return
    renewedAt = performance.now()
    monitor.replaced.memory++
  }

  const first = Array.from({ length: count }, launch)
  const listening = Promise.all(first.map(worker => worker.listening)).then(() => {
    for (const worker of first) void keep(worker)
  })
  // The caller that awaits `listening` gets the error; after a cancelled start no caller awaits it.
  listening.catch(ignore)

  return {
    listening,
    async roll() {
      log.info('replacing the workers')
      // Stops at the first failure, because the other workers could not be replaced either.
      for (const old of [...workers]) if (!(await replace(old)) && workers.has(old)) return
    },
    async stop(killNow) {
      stopping.abort()
      watchdog.stop()
      // `stop` informs each worker that all workers stop, so that it does not wait for clients to change to another worker.
      for (const { process } of workers) if (process.connected) process.send({ type: 'stop' }, ignore)
      await Promise.all([...workers].map(worker => drainWorker(worker, killNow)))
    },
  }
}

function ignore(): void {}
