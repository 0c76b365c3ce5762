import type { Client } from './client.js'
import { Delivery } from './delivery.js'
import { EventStream } from './event-stream.js'
import type { AnyEvent } from './events.js'
import { Listeners } from './listeners.js'
import type { Notices } from './notices.js'
import type { ConnectOptions } from './options.js'
import { Requests } from './requests.js'
import { Session } from './session.js'
import { platformWebSocket } from './web-socket.js'

// The events of a busy minute of a chat; with 1 kB each a few megabytes.
const bufferEvents = 5000
const timeoutMs = 30_000
const silenceMs = 90_000

/**
 * Connects to a server over its socket channel and reconnects as needed. Listeners added in the same turn of the event
 * loop receive every event.
 * @throws for an invalid address, and where the platform has no WebSocket class.
 */
export function connect(options: ConnectOptions): Client {
  const notices = new Listeners<Notices>()
  const listeners = new Listeners<Record<string, AnyEvent>>()
  const streams = new Set<EventStream<AnyEvent>>()
  const requests = new Requests(options.timeoutMs ?? timeoutMs)

  const failed = (error: unknown) => {
    if (notices.has('error')) void notices.notify('error', error, throwLater)
    else throwLater(error)
  }
  const delivery = new Delivery({
    bufferEvents: options.bufferEvents ?? bufferEvents,
    ack: options.ack,
    deliver: event => both(listeners.notify(event.type, event, failed), listeners.notify('*', event, failed)),
    restarted: registered => notices.notify('restarted', registered, failed),
    acknowledge: id => session.acknowledge(id),
  })
  const session = new Session({
    ...options,
    delivery,
    requests,
    failed,
    changed: change => void notices.notify('state', change, failed),
    connection: {
      url: socketUrl(options.url, options.bySession ? 'json' : 'api/v1'),
      codec: options.codec ?? 'json',
      isCompressed: options.isCompressed ?? false,
      webSocket: options.webSocket ?? platformWebSocket(),
      timeoutMs: options.timeoutMs ?? timeoutMs,
      silenceMs: options.silenceMs ?? silenceMs,
    },
  })

  if (options.onEvent) listeners.add('*', options.onEvent)
  if (options.resume) delivery.begin(options.resume)
  if (options.resume && options.register) session.registerIfGone(options.register)
  const registered = options.resume ? undefined : options.register && session.register(options.register)
  const ended = Promise.resolve()
    .then(() => session.run())
    .then(reason => {
      for (const stream of streams) stream.end()
      return reason
    })

  return {
    registered,
    ended,
    get state() {
      return session.state
    },
    get position() {
      return delivery.position
    },
    register: params => session.register(params),
    request: (method, path, params = {}, idempotencyKey = undefined) =>
      requests.ask(method, path, params, idempotencyKey),
    on: (type, listener) => listeners.add(type, listener as (event: AnyEvent) => unknown),
    observe: (name, listener) => notices.add(name, listener),
    events() {
      const stream: EventStream<AnyEvent> = new EventStream(() => {
        remove()
        streams.delete(stream)
      })
      const remove = listeners.add('*', event => stream.push(event))
      streams.add(stream)
      return stream
    },
    retry: () => session.retry(),
    async close() {
      session.finish('closed')
      await ended
    },
  }
}

/** `https://chat.example/` becomes `wss://chat.example/api/v1/socket`. */
function socketUrl(base: string, prefix: string): string {
  const url = new URL(base)
  url.protocol = url.protocol.replace('http', 'ws')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${prefix}/socket`
  return url.href
}

function both(one: undefined | Promise<void>, other: undefined | Promise<void>): undefined | Promise<void> {
  return one && other ? Promise.all([one, other]).then(() => undefined) : (one ?? other)
}

// An error without a listener is reported as uncaught, and the session continues.
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
