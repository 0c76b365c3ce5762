import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Backoff } from './embedded/backoff.js'
import { StartError } from './embedded/start-error.js'
import type { Log } from './log.js'
import { Roster } from './monitor/roster.js'

/** Server processes that share one port. */
export interface Workers {
  /** Resolves when all of them listen; a {StartError} when one of them ends before it does. */
  readonly listening: Promise<void>
  /** Replaces them one by one: a new one listens before an old one is told to stop. */
  roll(): Promise<void>
  /** Lets them drain; when `hurry` aborts, or after the time for that, ends them. */
  stop(hurry: AbortSignal): Promise<void>
}

interface Worker {
  readonly process: ChildProcess
  readonly exited: Promise<string>
  readonly listening: Promise<void>
  /** That it ends is our wish. */
  isLeaving: boolean
}

// Sockets get their close frame, waiting polls their answer: a client that has not read it by then reconnects anyway.
const drainMilliseconds = 21_000
// Who served this long can serve: the next one starts at once, and waiting clients have their worker back.
const steadyMilliseconds = 1000
const cleanExit = 'exited with code 0'
const program = fileURLToPath(new URL('./main.js', import.meta.url))
// Every function is compiled when it is first called, not when it has become hot: a new worker would spend much of its time in
// the interpreter. What becomes hot is optimised as ever.
// The young generation may have twice V8's 16 MB: what thousands of waiting polls keep is copied by each of its collections, and
// there are half as many of them. It costs what they leave unused, at most 64 MB.
const execArgv = [...process.execArgv, '--always-sparkplug', '--max-semi-space-size=32']

/** Starts `count` workers; once they listen, each one that dies is replaced. */
export function startWorkers(count: number, env: NodeJS.ProcessEnv, log: Log): Workers {
  const workers = new Set<Worker>()
  const roster = new Roster()
  const stopping = new AbortController()

  const launch = (): Worker => {
    const worker = forkWorker(env)
    workers.add(worker)
    roster.join(worker.process)
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
    }
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
      for (const old of [...workers]) {
        const successor = launch()
        try {
          await successor.listening
        } catch (error) {
          return log.error(error, 'a new worker does not start: the old ones stay')
        }
        roster.replacements++
        void keep(successor)
        await leave(old, stopping.signal)
      }
    },
    async stop(hurry) {
      stopping.abort()
      // That none of them stays tells each that its clients have nowhere to go, and need no time for it.
      for (const { process } of workers) if (process.connected) process.send({ type: 'stop' }, ignore)
      await Promise.all([...workers].map(worker => leave(worker, hurry)))
    },
  }
}

/** Tells a worker to drain, and ends it when that takes too long or `hurry` aborts. */
async function leave(worker: Worker, hurry: AbortSignal): Promise<void> {
  const kill = () => worker.process.kill('SIGKILL')
  worker.isLeaving = true
  worker.process.kill('SIGTERM')
  const timer = setTimeout(kill, drainMilliseconds)
  hurry.addEventListener('abort', kill)
  if (hurry.aborted) kill()
  await worker.exited
  clearTimeout(timer)
  hurry.removeEventListener('abort', kill)
}

function forkWorker(env: NodeJS.ProcessEnv): Worker {
  // Its standard output is our standard error: ours carries only the `ready` line.
  const child = fork(program, [], {
    execArgv,
    env: { ...env, PARLEY_ROLE: 'worker' },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`))
    child.on('error', error => child.pid ?? resolve(`could not be started: ${error.message}`))
  })
  const listening = new Promise<void>((resolve, reject) => {
    child.on('message', message => {
      if ((message as { type?: unknown } | null)?.type === 'listening') resolve()
    })
    void exited.then(how => reject(new StartError(`A worker ${how} before it listened: see its messages above.`)))
  })
  return { process: child, exited, listening, isLeaving: false }
}

function ignore(): void {}
