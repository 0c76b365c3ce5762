import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'
import { PeerFrames } from './peer-frames.js'

// A peer: it emits through a Redis stream, so that the clients of all servers receive the event. The argument is the
// URL of that Redis.
const frames = new PeerFrames()
const server = createServer()
const sockets = new Server(server, {
  transports: ['websocket'],
  // A ping during a run would be counted.
  pingInterval: 1e6,
  adapter: createAdapter(new Redis(process.argv[2] as string), { onlyPlaintext: true }),
})
server.prependListener('request', (request, response) => {
  if (request.url !== '/publish') return
  // Applications emit objects, which socket.io encodes once for all clients.
  sockets.emit('events', JSON.parse(Buffer.from(frames.next()).toString()))
  response.end()
})
server.listen(0, '127.0.0.1', () => frames.listens((server.address() as AddressInfo).port))
