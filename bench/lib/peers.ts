import type { Floor } from './child.js'
import { type Usage, usageBelow } from './cpu.js'
import { say } from './figures.js'
import { RealServer } from './real-server.js'
import { type FloorTask, type RequestLoad, requestFloor, requestLoad } from './request-load.js'
import type { Undo } from './undo.js'

/** A server, the bare one beside it, and the process that sends requests to both. */
export interface Peers {
  readonly server: RealServer
  readonly floor: Floor<FloorTask>
  readonly load: RequestLoad
  readonly ports: { readonly parley: number; readonly floor: number }
  /** CPU time so far: the floor uses PostgreSQL of the server, which has its own timers in its workers. */
  readonly used: { parley(): Usage; floor(): Usage }
}

/** The floor stores the message of each request as a row. */
export async function startPeers(undo: Undo, workers: number): Promise<Peers> {
  say('starting the server and the floor …')
  const server = await RealServer.started(undo, { WORKERS: String(workers) })
  const [floor, load] = [await requestFloor(undo), requestLoad(undo)]
  const stores = { database: server.address('DATABASE'), redis: server.address('REDIS') }
  await floor.ask({ body: '', work: { kind: 'store' }, ...stores })
  const used = {
    parley: () => usageBelow(server.pid),
    floor: () => ({ ...usageBelow(floor.pid), postgres: usageBelow(server.pid).postgres }),
  }
  return { server, floor, load, ports: { parley: server.port, floor: floor.port }, used }
}
