import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { StartError } from './embedded/start-error.js'
import { heapLimitOf } from './monitor/memory-watch.js'

/** Why a worker was replaced without having been asked for it. */
export type Trouble = 'hang' | 'memory' | 'crash'

/** A worker as its supervisor sees it. */
export interface Worker {
  readonly process: ChildProcess
  readonly exited: Promise<string>
  /** A {StartError} when it ends before. */
  readonly listening: Promise<void>
  /** That it ends is our wish. */
  isLeaving: boolean
  /** Why it was ended, if it did not end by itself. */
  trouble: Trouble
}

export const cleanExit = 'exited with code 0'

// Sockets get their close frame, waiting polls their answer: a client that has not read it by then reconnects anyway.
const drainMilliseconds = 21_000
const program = fileURLToPath(new URL('./main.js', import.meta.url))
const bytesPerMebibyte = 2 ** 20

/** Starts a worker whose process may have so many bytes. */
export function forkWorker(env: NodeJS.ProcessEnv, memoryBytes: number): Worker {
  const heapMebibytes = Math.floor(heapLimitOf(memoryBytes) / bytesPerMebibyte)
  // Every function is compiled when it is first called, not when it has become hot: a new worker would spend much of its time in
  // the interpreter. What becomes hot is optimised as ever.
  // The young generation may have twice V8's 16 MB: what thousands of waiting polls keep is copied by each of its collections, and
  // there are half as many of them. It costs what they leave unused, at most 64 MB.
  const engine = ['--always-sparkplug', '--max-semi-space-size=32', `--max-old-space-size=${heapMebibytes}`]
  // Its standard output is our standard error: ours carries only the `ready` line.
  const child = fork(program, [], {
    execArgv: [...process.execArgv, ...engine],
    env: { ...env, PARLEY_ROLE: 'worker' },
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
  return { process: child, exited, listening, isLeaving: false, trouble: 'crash' }
}

/** What a message between supervisor and worker is about. */
export const typeOf = (message: unknown): unknown => (message as { type?: unknown } | null)?.type

/** Tells a worker to drain, and ends it when that takes too long or `hurry` aborts. */
export async function leave(worker: Worker, hurry: AbortSignal): Promise<void> {
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
