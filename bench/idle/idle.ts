import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { total, usageBelow } from '../lib/cpu.js'
import { Floor } from '../lib/floor.js'
import { Load } from '../lib/load.js'
import type { Account } from '../lib/load-protocol.js'
import { machine } from '../lib/machine.js'
import { measured } from '../lib/measured.js'
import { memoryBelow } from '../lib/memory.js'
import { makeAccounts } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import { RealServer } from '../lib/real-server.js'
import { RedisLook } from '../lib/redis-look.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { Heaps } from '../soak/heaps.js'

// The first clients make the process grow for other reasons: compiled code, tables, the first pages of the heap.
const firstClients = 1000
// In ms, until queues have settled, replies are sent and garbage is collected.
const restMs = 5000

interface Weight {
  /** Private memory of the process after a full garbage collection. */
  readonly resident: number
  /** Live objects of the heap, and external buffers. */
  readonly alive: number
}

export async function idle(args: string[]): Promise<void> {
  const options = readOptions(args)
  const found = await undone(async undo => {
    say('starting the server and the floor …')
    const heaps = await Heaps.open()
    undo.push(() => heaps.close())
    const server = await RealServer.start({ ...heaps.settings, WORKERS: '1' })
    undo.push(() => server.stop())
    const floor = await Floor.start('sockets', [], heaps.settings)
    undo.push(() => floor.stop())
    // One process per server, because both together would exceed the limit of sockets per process.
    const loads = { parley: new Load(), floor: new Load() }
    undo.push(() => loads.parley.stop())
    undo.push(() => loads.floor.stop())
    const redis = new RedisLook(server.setting('REDIS_URL'))
    undo.push(() => redis.stop())

    say(`making ${options.queues} users, their queues and sockets …`)
    const accounts = await makeAccounts(server, options.queues + firstClients)
    const sender = accounts[0] as Account
    const open = async (name: string, some: readonly Account[]) => {
      const common = { host: '127.0.0.1', codec: options.codec, accounts: some, sender, channelId: 0, textLength: 0 }
      await loads.parley.open({ ...common, name, ackMs: 1000, port: Number(server.url.port), isFloor: false })
      await loads.floor.open({ ...common, name, ackMs: 0, port: floor.port, isFloor: true })
      await sleep(restMs)
    }
    const weigh = async () => {
      const worker = memoryBelow(server.pid).find(({ role }) => role === 'worker')?.pid as number
      const of = async (pid: number): Promise<Weight> => {
        const { heapUsed, external } = await heaps.of(pid)
        return { resident: memoryBelow(pid)[0]?.bytes ?? 0, alive: heapUsed + external }
      }
      return {
        parley: await of(worker),
        floor: await of(floor.process.pid as number),
        redis: (await redis.sizes()).usedBytes,
      }
    }
    await open('first', accounts.slice(0, firstClients))
    const before = await weigh()
    await open('others', accounts.slice(firstClients))
    const after = await weigh()
    say(`doing nothing for ${options.settle} s, and then for ${options.seconds} s that count …`)
    await sleep(options.settle * 1000)
    const rest = await measured(
      { used: () => usageBelow(server.pid), loads: [loads.parley.pid, loads.floor.pid] },
      () => sleep(options.seconds * 1000),
    )
    return { before, after, rest }
  })
  const { before, after, rest } = found
  const each = (peer: 'parley' | 'floor', what: keyof Weight) =>
    (after[peer][what] - before[peer][what]) / options.queues
  const redisBytes = (after.redis - before.redis) / options.queues
  const core = (part: 'server' | 'redis' | 'postgres') => total(rest.usage[part]) / 1000 / rest.elapsedMs
  const above = (each('parley', 'resident') - each('floor', 'resident')) / 1000
  const result: Result = {
    scenario: 'idle',
    question: questions.idle,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare([rest]),
    notes: [
      `What ${options.queues} more sockets and queues added to ${firstClients}, after a full collection of both servers' heaps; one worker.`,
      'Heartbeats every 45 to 50 s, acknowledged by the clients at once.',
    ],
    tables: [
      {
        title: 'Bytes for each attached socket',
        columns: [{ name: '' }, { name: 'resident' }, { name: 'alive in the heap' }],
        rows: (['parley', 'floor'] as const).map(peer => ({
          name: peer === 'floor' ? 'floor: bare uWebSockets.js' : peer,
          cells: [each(peer, 'resident'), each(peer, 'alive')],
        })),
      },
      {
        title: 'Redis',
        columns: [{ name: '' }, { name: 'bytes' }],
        rows: [{ name: 'for each queue', cells: [redisBytes] }],
      },
      {
        title: `CPU of ${options.queues + firstClients} queues that do nothing, share of a core`,
        columns: [
          { name: '' },
          { name: 'server', decimals: 3 },
          { name: 'Redis', decimals: 3 },
          { name: 'PostgreSQL', decimals: 3 },
        ],
        rows: [{ name: 'heartbeats and upkeep', cells: [core('server'), core('redis'), core('postgres')] }],
      },
    ],
    charts: [
      {
        title: 'Bytes for each client that does nothing',
        kind: 'bars',
        x: { name: '' },
        y: { name: 'bytes' },
        series: [
          {
            name: 'bytes',
            points: [
              ['server', each('parley', 'resident')],
              ['bare server', each('floor', 'resident')],
              ['Redis', redisBytes],
            ],
          },
        ],
      },
    ],
    targets: [
      { what: 'memory for a socket, above the floor', limit: 3, found: above, is: 'atMost', unit: 'kB' },
      { what: 'Redis for a queue', limit: 1, found: redisBytes / 1000, is: 'atMost', unit: 'kB' },
      {
        what: `heartbeats of ${options.queues + firstClients} queues`,
        limit: 0.02,
        found: core('server') + core('redis'),
        is: 'atMost',
        unit: 'of a core',
      },
    ],
  }
  printResult(result, options.json)
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      queues: { type: 'string', default: '9000' },
      // V8 still compiles after the sockets have opened; that must not count as the cost of heartbeats.
      settle: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '120' },
      codec: { type: 'string', default: 'json' },
      json: { type: 'boolean', default: false },
    },
  })
  const { codec, json } = values
  if (codec !== 'json' && codec !== 'msgpack') throw new Error('--codec is json or msgpack')
  const count = (name: 'queues' | 'settle' | 'seconds') => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return { queues: count('queues'), settle: count('settle'), seconds: count('seconds'), codec, json } as const
}
