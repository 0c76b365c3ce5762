import { setTimeout as sleep } from 'node:timers/promises'
import { Floor } from '../lib/child.js'
import { usageBelow } from '../lib/cpu.js'
import { say } from '../lib/figures.js'
import { Heaps } from '../lib/heaps.js'
import { Load } from '../lib/load.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { memoryBelow } from '../lib/memory.js'
import { readOptions } from '../lib/options.js'
import { makeAccounts } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import { RedisLook } from '../lib/redis-look.js'
import { atMost, type Result } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'

// The first clients make the process grow for other reasons: compiled code, tables, the first pages of the heap.
const firstClients = 1000
// In ms, until queues have settled, replies are sent and garbage is collected.
const restMs = 5000
// `settle`: V8 still compiles after the sockets have opened; that must not count as the cost of heartbeats.
const defaults = { queues: 9000, settle: 60, seconds: 120 }

/** Measures clients that do nothing: memory for their sockets and queues, CPU for their heartbeats. */
export async function idle(args: string[]): Promise<Result> {
  const options = readOptions(args, defaults)
  const { before, after, rest } = await undone(undo => measureAll(undo, options))
  const each = (what: keyof typeof after) => (after[what] - before[what]) / options.queues
  const core = (part: 'server' | 'redis' | 'postgres') => rest.usage[part] / 1000 / rest.elapsedMs
  const all = options.queues + firstClients
  const above = (each('parley') - each('floor')) / 1000
  return {
    options,
    othersShare: othersShare([rest]),
    notes: [
      `What ${options.queues} more sockets and queues added to ${firstClients}, after a full collection of both servers' heaps; one worker.`,
      'Heartbeats every 45 to 50 s, acknowledged by the clients at once.',
    ],
    tables: [
      {
        title: 'Bytes for each attached socket, and of Redis for each queue',
        columns: ['bytes'],
        rows: [
          ['parley', each('parley')],
          ['floor: bare uWebSockets.js', each('floor')],
          ['Redis', each('redis')],
        ],
      },
      {
        title: `CPU of ${all} queues that do nothing, share of a core`,
        columns: ['server', 'Redis', 'PostgreSQL'],
        rows: [['heartbeats and upkeep', core('server'), core('redis'), core('postgres')]],
      },
    ],
    targets: [
      atMost(3, 'kB', 'memory for a socket, above the floor', above),
      atMost(1, 'kB', 'Redis for a queue', each('redis') / 1000),
      atMost(0.02, 'of a core', `heartbeats of ${all} queues`, core('server') + core('redis')),
    ],
  }
}

async function measureAll(undo: Undo, options: Readonly<typeof defaults>) {
  say('starting the server and the floor …')
  const heaps = await Heaps.open(undo)
  const server = await RealServer.started(undo, { ...heaps.settings, WORKERS: '1' })
  const floor = await Floor.start(undo, 'lib/floor-process', heaps.settings)
  // One process per server, because both together would exceed the limit of sockets per process.
  const loads = { parley: new Load(undo), floor: new Load(undo) }
  const redis = new RedisLook(server.setting('REDIS_URL'))
  undo.push(() => redis.stop())

  say(`making ${options.queues} users, their queues and sockets …`)
  const accounts = await makeAccounts(server, options.queues + firstClients)
  const open = async (name: string, some: readonly Account[]) => {
    const sender = some[0] as Account
    const target = { name, accounts: some, sender, channelId: 0, textLength: 0 }
    await loads.parley.ask({ do: 'open', target: { ...target, ackMs: 1000, port: server.port, isFloor: false } })
    await loads.floor.ask({ do: 'open', target: { ...target, ackMs: 0, port: floor.port, isFloor: true } })
    await sleep(restMs)
  }
  /** Private memory of a process after a full garbage collection. */
  const weightOf = async (pid: number): Promise<number> => {
    await heaps.of(pid)
    return memoryBelow(pid)[0]?.bytes ?? 0
  }
  const weigh = async () => {
    const worker = memoryBelow(server.pid).find(({ role }) => role === 'worker')?.pid as number
    const [parley, bare] = [await weightOf(worker), await weightOf(floor.pid)]
    return { parley, floor: bare, redis: (await redis.sizes()).usedBytes }
  }
  await open('first', accounts.slice(0, firstClients))
  const before = await weigh()
  await open('others', accounts.slice(firstClients))
  const after = await weigh()
  say(`doing nothing for ${options.settle} s, and then for ${options.seconds} s that count …`)
  await sleep(options.settle * 1000)
  const pids = [loads.parley.pid, loads.floor.pid]
  const rest = await measured({ used: () => usageBelow(server.pid), loads: pids }, () => sleep(options.seconds * 1000))
  return { before, after, rest }
}
