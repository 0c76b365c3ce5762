import { App, us_socket_local_port } from 'uWebSockets.js'

/** The frames that the floor sends to each client that attaches. */
export interface ResumeFrames {
  readonly frames: readonly Uint8Array[]
  readonly isBinary: boolean
}

// The minimum work of a resume: an upgrade, reading one frame, sending frames.
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
