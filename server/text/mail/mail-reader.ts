import { Worker } from 'node:worker_threads'
import type { ReadMail, TextOptions } from './read-mail.js'

// An idle thread takes memory; a new one needs a tenth of a second of a core.
const idleMs = 60_000
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }

export interface ToMailThread {
  readonly source: Uint8Array
  readonly options: readonly TextOptions[]
}

/** A mail that cannot be read, and could not be read if it came again. */
export class UnreadableMail extends Error {}

interface Waiting {
  readonly resolve: (mail: ReadMail) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Reads mails in a thread, one at a time: neither a long mail nor one that was made to occupy the parser delays the worker. */
export class MailReader {
  private thread: Worker | undefined
  private waiting: Waiting | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /** @param longestMs the time for a mail */
  constructor(private readonly longestMs = 30_000) {}

  /**
   * The caller waits for the end before it reads another mail.
   * @throws {UnreadableMail} the parser failed; another error: it took too long, possibly because the machine was busy
   */
  read(mail: ToMailThread): Promise<ReadMail> {
    if (this.waiting) throw new Error('two mails are read at a time')
    clearTimeout(this.idleTimer)
    this.thread ??= this.start()
    const { thread } = this
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void thread.terminate(), this.longestMs)
      this.waiting = { resolve, reject, timer }
      thread.postMessage(mail)
    })
  }

  async stop(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { thread } = this
    this.thread = undefined
    await thread?.terminate()
  }

  private start(): Worker {
    const thread = new Worker(new URL('./mail-thread.js', import.meta.url), { resourceLimits, execArgv: [] })
    let failure: unknown
    thread.on('message', (mail: ReadMail) => this.end()?.resolve(mail))
    thread.on('error', error => {
      failure = error
    })
    thread.on('exit', () => {
      // One that was idle ends without a mail, and another one may have its place.
      if (this.thread !== thread) return
      this.thread = undefined
      const isLate = failure === undefined
      this.end()?.reject(
        isLate ? new Error('a mail took too long to read') : new UnreadableMail('', { cause: failure }),
      )
    })
    // The process may end although the thread waits for a mail.
    thread.unref()
    return thread
  }

  private end(): Waiting | undefined {
    const { waiting } = this
    this.waiting = undefined
    clearTimeout(waiting?.timer)
    this.idleTimer = setTimeout(() => void this.stop(), idleMs).unref()
    return waiting
  }
}
