import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { budgets } from '../config/budgets.js'
import { type Message, readMessages, sendMessage } from './decoder-channel.js'
import type { Drawing, Drawn, DrawReply, DrawRequest, Failure } from './drawing.js'

const program = fileURLToPath(new URL('./decoder.js', import.meta.url))
// An idle decoder takes some 60 MB; a new one is ready after a quarter of a second.
const idleMs = 30_000
const mostMessageBytes = 2 ** 26
const mostErrorCharacters = 1000

// V8 needs little: the memory is for the pictures. Without its compiler the process takes 14 MB less, and has no memory that is both
// writable and executable.
const engine = [
  '--jitless',
  '--no-expose-wasm',
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  '--v8-pool-size=1',
]

// The limit of data counts all private memory that can be written, also that of native libraries, and not the address space, of which V8
// reserves gigabytes. Where a system does not have it, the decoder still watches its own memory. The stacks of threads count; some libraries
// have a thread for each core. In a container whose memory is used up, the kernel ends the decoder first.
const limited = [
  `ulimit -d ${budgets.pictureMemory.most / 1024} 2>/dev/null`,
  'ulimit -s 2048 2>/dev/null',
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
  'exec "$0" "$@"',
].join('; ')

// Nothing of the worker's environment: its secrets are no business of a library that decodes pictures of strangers. The settings of the
// allocator return the memory of a picture to the system, so that the next one begins with little.
const env = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Why a decoder gave no answer. */
export type EndReason = 'deadline' | 'abandoned' | 'died'

/** The decoder has ended without an answer. */
export class DecoderEnded extends Error {
  constructor(
    readonly reason: EndReason,
    how: string,
  ) {
    super(how)
  }
}

/** The decoder did not draw the picture. */
export class NotDrawn extends Error {
  constructor(readonly failure: Failure) {
    super(`not drawn: ${failure}`)
  }
}

/** One process that decodes one picture at a time; it starts with a picture and ends when none has come for a while. */
export class DecoderProcess {
  private running: Running | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /** Its process id, for tests and the log; undefined: it is not running. */
  get pid(): number | undefined {
    return this.running?.child.pid
  }

  /**
   * Draws a picture. No other call may be under way.
   * @throws {NotDrawn} {DecoderEnded} after `timeoutMs`, when `abandon` aborts, or when the process dies
   */
  async draw(bytes: Buffer, drawing: Drawing, timeoutMs: number, abandon: AbortSignal): Promise<Drawn> {
    clearTimeout(this.idleTimer)
    this.running ??= this.start()
    const running = this.running
    const timer = setTimeout(() => end(running, 'deadline'), timeoutMs)
    const stop = () => end(running, 'abandoned')
    abandon.addEventListener('abort', stop)
    if (abandon.aborted) stop()
    try {
      void sendMessage(running.input, { drawing } satisfies DrawRequest, [bytes])
      const { done, value } = await running.replies.next()
      if (done) throw new DecoderEnded(running.endedFor, `the decoder ${await running.exited}`)
      return drawnOf(value)
    } catch (error) {
      // What a decoder may do next that broke its limits, or the protocol, is not known.
      const mayGoOn = error instanceof NotDrawn && (error.failure === 'bad' || error.failure === 'pixels')
      if (!mayGoOn) this.end()
      throw error
    } finally {
      clearTimeout(timer)
      abandon.removeEventListener('abort', stop)
      this.idleTimer = setTimeout(() => this.end(), idleMs).unref()
    }
  }

  private start(): Running {
    const running = start()
    void running.exited.then(() => {
      if (this.running === running) this.running = undefined
    })
    return running
  }

  /** Ends the process at once, also in the middle of a picture. */
  end(): void {
    clearTimeout(this.idleTimer)
    if (this.running) end(this.running, 'abandoned')
    this.running = undefined
  }
}

interface Running {
  readonly child: ChildProcess
  readonly input: Writable
  readonly replies: AsyncGenerator<Message>
  /** Resolves when the process has ended, with a few words that describe how. */
  readonly exited: Promise<string>
  endedFor: EndReason
}

function start(): Running {
  const child = spawn('/bin/sh', ['-c', limited, process.execPath, ...engine, program], { env, stdio: 'pipe' })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors = (errors + chunk).slice(-mostErrorCharacters)
  })
  // Writing to a process that has ended: the end of its output says it.
  child.stdin.on('error', () => undefined)
  const exited = new Promise<string>(resolve => {
    child.once('error', error => resolve(`could not be started: ${error.message}`))
    child.once('close', (code, signal) =>
      resolve(`${signal ? `was ended by ${signal}` : `exited with ${code}`} ${errors}`),
    )
  })
  return { child, input: child.stdin, replies: readMessages(child.stdout, mostMessageBytes), exited, endedFor: 'died' }
}

function end(running: Running, reason: EndReason): void {
  running.endedFor = reason
  running.child.kill('SIGKILL')
}

/** @throws {NotDrawn} */
function drawnOf({ head, bytes }: Message): Drawn {
  const reply = head as DrawReply
  if ('failure' in reply) throw new NotDrawn(reply.failure)
  const made: Buffer[] = []
  let from = 0
  for (const size of reply.sizes) {
    made.push(bytes.subarray(from, from + size))
    from += size
  }
  return { header: reply.header, made }
}
