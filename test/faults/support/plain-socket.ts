import WebSocket from 'ws'
import type { ServerFrame, WireEvent } from '../../../shared/wire/frames.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'

/** A socket implemented from the protocol's page only: JSON, no library. */
export class PlainSocket {
  readonly socket: WebSocket
  /** Resolves with the close code when the connection has ended. */
  readonly closed: Promise<number>
  private answered: (reply: { status: number; body: Record<string, unknown> }) => void = () => {}

  constructor(person: Person, onEvents: (events: WireEvent[], socket: PlainSocket) => void) {
    this.socket = new WebSocket(`${person.url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json'], {
      headers: person.who ? { Authorization: basic(person.who) } : {},
    })
    this.socket.on('error', () => {})
    this.closed = new Promise(resolve => {
      this.socket.on('close', code => {
        this.answered({ status: 0, body: {} })
        resolve(code)
      })
    })
    this.socket.on('message', data => {
      const frame = JSON.parse(String(data)) as ServerFrame
      if (frame.op === 'reply') this.answered(frame)
      else if (frame.op === 'events') onEvents(frame.events as WireEvent[], this)
    })
  }

  /** Status 0: the connection ended before the answer. */
  async attach(queueId: string, last: number): Promise<{ status: number; body: Record<string, unknown> }> {
    const reply = new Promise<{ status: number; body: Record<string, unknown> }>(resolve => {
      this.answered = resolve
    })
    const opened = new Promise<boolean>(resolve => this.socket.once('open', () => resolve(true)))
    const isOpen = await Promise.race([opened, this.closed.then(() => false)])
    if (!isOpen) return { status: 0, body: {} }
    this.send({ op: 'attach', id: 1, queue_id: queueId, last_event_id: last })
    return await reply
  }

  send(frame: Record<string, unknown>): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame))
  }

  end(): void {
    // A paused socket does not see the answer to a close frame, for which the library would wait 30 s.
    if (this.socket.readyState === WebSocket.OPEN && !this.socket.isPaused) this.socket.close(1000)
    else this.socket.terminate()
  }
}
