import WebSocket from 'ws'
import type { ServerFrame, WireEvent } from '../../../shared/wire/frames.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'

/** A socket as somebody writes it who has only read the protocol's page: JSON, no library. */
export class PlainSocket {
  readonly socket: WebSocket
  /** Resolves when the connection has ended, with its closing code. */
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

  /** Status 0: the connection ended before it was answered. */
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
    // Who reads nothing does not see the answer to a closing frame either, for which the library waits half a minute.
    if (this.socket.readyState === WebSocket.OPEN && !this.socket.isPaused) this.socket.close(1000)
    else this.socket.terminate()
  }
}
