import { type Usage, usageOf } from '../lib/cpu.js'
import { Floor } from '../lib/floor.js'
import type { FloorFrames } from '../lib/floor-process.js'
import type { Undo } from '../lib/undo.js'
import { LoneRedis } from './lone-redis.js'

/** The measured servers: Parley, the floor, and other libraries. */
export const peerNames = {
  parley: 'parley',
  floor: 'floor (uWebSockets.js publish)',
  ws: 'ws, a loop',
  socketio: 'socket.io, Redis Streams',
}
export type PeerName = keyof typeof peerNames

/** A server that publishes the frames that Parley sent. */
export interface Peer {
  readonly port: number
  readonly used: () => Usage
  /** Gives it the frames, which it publishes from the first one on. */
  hold(frames: FloorFrames): Promise<void>
}

export async function startPeer(name: Exclude<PeerName, 'parley'>, undo: Undo): Promise<Peer> {
  const redis = name === 'socketio' ? await LoneRedis.start() : undefined
  if (redis) undo.push(() => redis.stop())
  const server = await Floor.start(name === 'floor' ? 'sockets' : name, redis ? [redis.url] : [])
  undo.push(() => server.stop())
  const used = () => usageOf(server.process.pid as number, redis ? [redis.pid] : [])
  return { port: server.port, used, hold: frames => server.hold(frames) }
}
