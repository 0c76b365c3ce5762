import { type ChildProcess, fork } from 'node:child_process'
import { nativeEnvironment } from '../config/native-environment.js'
import { program } from '../config/paths.js'
import { StartError } from '../failures/start-error.js'
import { heapLimitOf } from '../monitor/memory-watch.js'

/** Why a worker was replaced without a request of the operator. */
export type ReplacementReason = 'hang' | 'memory' | 'crash'

/** A worker process, for the supervisor. */
export interface Worker {
  readonly process: ChildProcess
  /** Resolves when the process has ended, with a few words that describe how. */
  readonly exited: Promise<string>
  /** Resolves when the worker listens; rejects with {StartError} if it ends before. */
  readonly listening: Promise<void>
  /** The supervisor has asked the worker to stop. */
  isDraining: boolean
  /** Why the worker ends or is replaced without a request; 'crash' unless the supervisor has another reason. */
  replacedFor: ReplacementReason
}

/** Result of `exited` after an orderly end. */
export const cleanExit = 'exited with code 0'

// How long a worker may drain before SIGKILL. A client that has not read its close frame or its answer by then reconnects anyway.
const drainMs = 21_000
const bytesPerMebibyte = 2 ** 20

/** Starts a worker process with a memory limit in bytes. */
export function forkWorker(env: NodeJS.ProcessEnv, memoryBytes: number): Worker {
  const heapMebibytes = Math.floor(heapLimitOf(memoryBytes) / bytesPerMebibyte)
  // --always-sparkplug compiles each function at its first call; otherwise a new worker spends much of its time in the interpreter.
  // Hot functions are optimised as usual.
  // --max-semi-space-size doubles V8's 16 MB: each collection of the young generation copies what thousands of waiting polls keep,
  // and a larger space halves the number of collections. It costs at most 64 MB of unused memory.
  // --heap-growing-percent: V8 lets a heap with a high limit grow to four times what is in use before it collects the garbage.
  // --v8-pool-size: V8 collects the old generation in helper threads beside the program. Four of them take the cores from the worker and its
  // databases for some 60 ms; one makes p99 of deliveries at half load 28 ms in place of 64, and costs fan-out and polls nothing that shows.
  const engine = [
    '--always-sparkplug',
    '--max-semi-space-size=32',
    '--heap-growing-percent=50',
    '--v8-pool-size=1',
    `--max-old-space-size=${heapMebibytes}`,
  ]
  // The worker's standard output goes to standard error, because the supervisor's standard output carries only the `ready` line.
  const child = fork(program, [], {
    execArgv: [...process.execArgv, ...engine],
    env: { ...env, ...nativeEnvironment, PARLEY_ROLE: 'worker' },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`))
    child.on('error', error => child.pid ?? resolve(`could not be started: ${error.message}`))
  })
  const listening = new Promise<void>((resolve, reject) => {
    child.on('message', message => {
      if (typeOf(message) === 'listening') resolve()
    })
    void exited.then(how => reject(new StartError(`A worker ${how} before it listened: see its messages above.`)))
  })
  return { process: child, exited, listening, isDraining: false, replacedFor: 'crash' }
}

/** The type of a message between supervisor and worker. */
export const typeOf = (message: unknown): unknown => (message as { type?: unknown } | null)?.type

/** Asks a worker to drain, and kills it if that takes too long or `killNow` aborts. */
export async function drainWorker(worker: Worker, killNow: AbortSignal): Promise<void> {
  const kill = () => worker.process.kill('SIGKILL')
  worker.isDraining = true
  worker.process.kill('SIGTERM')
  const timer = setTimeout(kill, drainMs)
  killNow.addEventListener('abort', kill)
  if (killNow.aborted) kill()
  await worker.exited
  clearTimeout(timer)
  killNow.removeEventListener('abort', kill)
}
