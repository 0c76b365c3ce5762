import { App, us_socket_local_port } from 'uWebSockets.js'

/** What the floor sends to whoever attaches. */
export interface ResumeFrames {
  readonly frames: readonly Uint8Array[]
  readonly isBinary: boolean
}

// The least that a resume takes: an upgrade, a frame that is read, frames that are sent.
let held: ResumeFrames = { frames: [], isBinary: false }

process.on('message', (given: ResumeFrames) => {
  held = given
  process.send?.({ ok: true })
})
process.on('disconnect', () => process.exit(0))

const app = App()
app.ws('/api/v1/socket', {
  idleTimeout: 0,
  maxBackpressure: 64 * 2 ** 20,
  message: socket => {
    for (const frame of held.frames) socket.send(frame, held.isBinary)
  },
})
app.listen('127.0.0.1', 0, token => {
  if (!token) throw new Error('the floor found no port')
  process.send?.({ ok: true, port: us_socket_local_port(token) })
})
