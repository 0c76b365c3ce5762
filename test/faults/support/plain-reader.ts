import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Person } from '../../support/people.js'
import { PlainSocket } from './plain-socket.js'
import { registerQueue } from './queue.js'
import { Reader } from './reader.js'

const pauseMs = 20

/** A client without the client package: it acknowledges every event, and attaches again whenever its socket closes. */
export class PlainReader extends Reader {
  /** Number of closed sockets, by close code. */
  readonly closings: Record<number, number> = {}
  private isStopped = false
  private isAttached = false
  private current: PlainSocket | undefined
  private running: Promise<void> | undefined

  constructor(
    name: string,
    sees: ReadonlySet<string>,
    private readonly person: Person,
    private readonly queueId: string,
  ) {
    super(name, sees)
  }

  static async start(name: string, sees: ReadonlySet<string>, person: Person): Promise<PlainReader> {
    const { queueId } = await registerQueue(person)
    const reader = new PlainReader(name, sees, person, queueId)
    reader.running = reader.read()
    return reader
  }

  private async read(): Promise<void> {
    while (!this.isStopped && !this.lost) {
      const socket = new PlainSocket(this.person, (events, from) => {
        for (const event of events) this.handle(event)
        from.send({ op: 'ack', last_event_id: this.last })
      })
      this.current = socket
      const { status, body } = await socket.attach(this.queueId, this.last)
      if (status === 400) this.lose(String(body.msg))
      this.isAttached = status === 200
      if (!this.isAttached) socket.end()
      const code = await socket.closed
      this.isAttached = false
      if (this.isStopped) return
      this.closings[code] = (this.closings[code] ?? 0) + 1
      await sleep(pauseMs)
    }
  }

  /** Stops reading; the connection stays open. False: there is no connection yet. */
  pause(): boolean {
    const socket = this.current?.socket
    if (!this.isAttached || socket?.readyState !== WebSocket.OPEN) return false
    socket.pause()
    return true
  }

  resume(): void {
    this.current?.socket.resume()
  }

  /** Breaks the connection. */
  drop(): void {
    this.current?.socket.terminate()
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.current?.end()
    await this.running
  }
}
