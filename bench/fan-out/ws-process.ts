import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { PeerFrames } from './peer-frames.js'

// A peer: the usual loop over all clients, with prepared bytes.
const frames = new PeerFrames()
const server = createServer((_, response) => {
  const frame = frames.next()
  const options = { binary: frames.isBinary }
  for (const client of sockets.clients) client.send(frame, options)
  response.end()
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
server.listen(0, '127.0.0.1', () => frames.listens((server.address() as AddressInfo).port))
