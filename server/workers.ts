import { setTimeout as sleep } from 'node:timers/promises'
import { Backoff } from './embedded/backoff.js'
import type { Log } from './log.js'
import { Roster } from './monitor/roster.js'
import { Watchdog } from './watchdog.js'
import { cleanExit, forkWorker, leave, typeOf, type Worker } from './worker-process.js'

/** Server processes that share one port. */
export interface Workers {
  /** Resolves when all of them listen; a {StartError} when one of them ends before it does. */
  readonly listening: Promise<void>
  /** Replaces them one by one: a new one listens before an old one is told to stop. */
  roll(): Promise<void>
  /** Lets them drain; when `hurry` aborts, or after the time for that, ends them. */
  stop(hurry: AbortSignal): Promise<void>
}

export interface WorkersOptions {
  readonly count: number
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
  /** A worker whose event loop stands still for so long is ended and replaced. */
  readonly hangMs: number
  /** What the process of one worker may have. */
  readonly memoryBytes: number
}

// Who served this long can serve: the next one starts at once, and waiting clients have their worker back.
const steadyMilliseconds = 1000
// A load that needs more memory than there is would otherwise have workers replaced all the time.
const memoryPauseMs = 60_000

/** Starts the workers; once they listen, each one that dies, hangs or runs out of memory is replaced. */
export function startWorkers({ count, env, log, hangMs, memoryBytes }: WorkersOptions): Workers {
  const workers = new Set<Worker>()
  const roster = new Roster()
  const stopping = new AbortController()
  const watchdog = new Watchdog(hangMs, (worker, silentMs) => {
    log.error({ worker: worker.process.pid, ms: Math.round(silentMs) }, 'a worker hangs: ending it')
    worker.trouble = 'hang'
    worker.process.kill('SIGKILL')
  })

  const launch = (): Worker => {
    const worker = forkWorker(env, memoryBytes)
    workers.add(worker)
    roster.join(worker.process)
    watchdog.watch(worker)
    worker.process.on('message', message => {
      if (typeOf(message) === 'near-memory-limit') void renew(worker)
    })
    void worker.exited.then(how => {
      workers.delete(worker)
      const { pid } = worker.process
      if (worker.isLeaving && how === cleanExit) return
      log.error(`worker ${pid} ${how}`)
      // What it owned is for the others to take over at once, without waiting for its lease to run out.
      for (const { process } of workers) if (process.connected) process.send({ type: 'worker-died', pid }, ignore)
    })
    return worker
  }

  /** Puts another one in the place of a worker whenever it dies, until it leaves. */
  const keep = async (worker: Worker) => {
    const backoff = new Backoff()
    for (let current = worker; ; current = launch()) {
      let listensSince = Number.POSITIVE_INFINITY
      current.listening.then(() => {
        listensSince = performance.now()
      }, ignore)
      await current.exited
      if (current.isLeaving) return
      if (performance.now() - listensSince > steadyMilliseconds) backoff.reset()
      await backoff.wait(stopping.signal)
      if (stopping.signal.aborted) return
      roster.restarts++
      roster.replaced[current.trouble]++
    }
  }

  let replacing = Promise.resolve()
  /** One at a time. False: the old one stays, or has ended by itself. */
  const replace = (old: Worker): Promise<boolean> => {
    const replaced = replacing.then(async () => {
      if (stopping.signal.aborted || old.isLeaving || !workers.has(old)) return false
      const successor = launch()
      try {
        await successor.listening
      } catch (error) {
        log.error(error, 'a new worker does not start: the old one stays')
        return false
      }
      // The old one may have died meanwhile, and has a successor then.
      const isNeeded = workers.has(old)
      if (isNeeded) void keep(successor)
      await leave(isNeeded ? old : successor, stopping.signal)
      if (isNeeded) roster.replacements++
      return isNeeded
    })
    replacing = replaced.then(ignore)
    return replaced
  }

  let renewedAt = Number.NEGATIVE_INFINITY
  /** In place of a worker that is near its memory limit. */
  const renew = async (worker: Worker): Promise<void> => {
    const pause = renewedAt + memoryPauseMs - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(ignore)
    worker.trouble = 'memory'
    if (!(await replace(worker))) return
    renewedAt = performance.now()
    roster.replaced.memory++
  }

  const first = Array.from({ length: count }, launch)
  const listening = Promise.all(first.map(worker => worker.listening)).then(() => {
    for (const worker of first) void keep(worker)
  })
  // Whoever waits for it hears of it; nobody does when the start was called off.
  listening.catch(ignore)

  return {
    listening,
    async roll() {
      log.info('replacing the workers')
      // The first that cannot be replaced ends it: the others could not, either.
      for (const old of [...workers]) if (!(await replace(old)) && workers.has(old)) return
    },
    async stop(hurry) {
      stopping.abort()
      watchdog.stop()
      // That none of them stays tells each that its clients have nowhere to go, and need no time for it.
      for (const { process } of workers) if (process.connected) process.send({ type: 'stop' }, ignore)
      await Promise.all([...workers].map(worker => leave(worker, hurry)))
    },
  }
}

function ignore(): void {}
