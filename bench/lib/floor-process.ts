import { App, type HttpResponse } from 'uWebSockets.js'
import { BareStore, type StoreAddress } from './bare-store.js'
import { listen, serve } from './serve.js'

/** One frame per event, as Parley sent it. */
export interface FloorFrames {
  readonly frames: readonly Uint8Array[]
  /** Stores each message of this text in the server's PostgreSQL first. */
  readonly stores?: { readonly database: StoreAddress; readonly content: string }
}

// The floor: only publish(), with prepared bytes, to sockets that subscribe to one topic.
let held: FloorFrames = { frames: [] }
let next = 0
let store: BareStore | undefined

serve(async (given: FloorFrames) => {
  if (given.stores) store = await BareStore.open(given.stores.database)
  held = given
  next = 0
})

const app = App()
app.ws('/api/v1/socket', {
  idleTimeout: 0,
  maxBackpressure: 64 * 2 ** 20,
  open: socket => void socket.subscribe('all'),
})
app.post('/publish', response => {
  if (!store) {
    publish(response)
    return
  }
  let isGone = false
  response.onAborted(() => {
    isGone = true
  })
  void store.insert(1, 1, held.stores?.content ?? '').then(() => {
    if (!isGone) response.cork(() => publish(response))
  })
})

function publish(response: HttpResponse): void {
  // Publishes the frames in order, even for concurrent requests; a run publishes each frame once.
  const frame = held.frames[next++ % held.frames.length]
  if (frame) app.publish('all', frame, false)
  response.writeStatus(frame ? '200 OK' : '404 Not Found').end('{}')
}

listen(app)
