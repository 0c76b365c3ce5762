import { setTimeout as sleep } from 'node:timers/promises'
import type { WireEvent } from '../../../shared/wire/frames.js'
import type { Person } from '../../support/people.js'
import type { Random } from '../../support/random.js'
import { call } from './call.js'
import { PlainSocket } from './plain-socket.js'
import { registerQueue } from './queue.js'
import { Reader } from './reader.js'

interface WanderingOptions {
  readonly queueId: string
  readonly random: Random
  readonly longestMs: number
}

/**
 * Alternates between polling, a socket and being disconnected, and resumes each time. It has also handled events that
 * it did not acknowledge; only its own record prevents it from handling them twice.
 */
export class WanderingReader extends Reader {
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined

  constructor(
    name: string,
    sees: ReadonlySet<string>,
    private readonly person: Person,
    private readonly options: WanderingOptions,
  ) {
    super(name, sees)
  }

  static async start(
    name: string,
    sees: ReadonlySet<string>,
    person: Person,
    { random, longestMs = 2000 }: { readonly random: Random; readonly longestMs?: number },
  ): Promise<WanderingReader> {
    const { queueId } = await registerQueue(person)
    const reader = new WanderingReader(name, sees, person, { queueId, random, longestMs })
    reader.running = reader.wander()
    return reader
  }

  private async wander(): Promise<void> {
    while (!this.stopping.signal.aborted && !this.lost) {
      const time = this.options.random(this.options.longestMs)
      switch (this.options.random(3)) {
        case 0:
          await this.poll(time)
          break
        case 1:
          await this.listen(time)
          break
        default:
          await this.wait(time)
      }
    }
  }

  private async wait(time: number): Promise<void> {
    await sleep(time, undefined, { signal: this.stopping.signal }).catch(() => undefined)
  }

  private async poll(time: number): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(time)])
    while (!signal.aborted && !this.lost) {
      const params = { queue_id: this.options.queueId, last_event_id: this.last }
      const { status, body } = await call(this.person, 'GET', '/events', { params, signal })
      if (body.code === 'BAD_EVENT_QUEUE_ID') this.lose(String(body.msg))
      if (status === 200) for (const event of body.events as WireEvent[]) this.handle(event)
      else await this.wait(20)
    }
  }

  private async listen(time: number): Promise<void> {
    const socket = new PlainSocket(this.person, events => {
      for (const event of events) this.handle(event)
    })
    const { status, body } = await socket.attach(this.options.queueId, this.last)
    if (status === 400) this.lose(String(body.msg))
    if (status === 200) await Promise.race([this.wait(time), socket.closed])
    socket.end()
    await socket.closed
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }
}
