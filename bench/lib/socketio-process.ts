import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'
import { PeerFrames } from './peer-frames.js'

// A peer: what is emitted goes to a Redis stream, so that all clients of all its servers get it. Its argument is the address of
// that Redis.
const frames = new PeerFrames()
const server = createServer()
const sockets = new Server(server, {
  transports: ['websocket'],
  // A ping in between would be counted.
  pingInterval: 1e6,
  adapter: createAdapter(new Redis(process.argv[2] as string), { onlyPlaintext: true }),
})
server.prependListener('request', (request, response) => {
  if (request.url !== '/publish') return
  // Objects are what one emits: it encodes them once for all of its clients.
  sockets.emit('events', JSON.parse(Buffer.from(frames.next()).toString()))
  response.end()
})
server.listen(0, '127.0.0.1', () => frames.listens((server.address() as AddressInfo).port))
