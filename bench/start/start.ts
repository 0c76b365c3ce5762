import { rm } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCounts } from '../lib/arguments.js'
import { usageBelow } from '../lib/cpu.js'
import { machine } from '../lib/machine.js'
import { measured } from '../lib/measured.js'
import { workerMemory } from '../lib/memory.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import { RealServer, temporaryData } from '../lib/real-server.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { median, othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { seed } from '../requests/seeded.js'

const settings = { WORKERS: '1' }
const peers = ['floor', 'parley'] as const
type Peer = (typeof peers)[number]

/** Starts a server with a long history, in turn with one whose organization is empty. */
export async function start(args: string[]): Promise<void> {
  const options = readCounts(args, { users: 200, channels: 20, messages: 1_000_000, rounds: 5, rest: 10 })
  const rounds = await undone(async undo => {
    const data = { floor: await temporaryData(), parley: await temporaryData() }
    for (const dir of Object.values(data)) undo.push(() => rm(dir, { recursive: true, force: true }))
    let running: RealServer | undefined
    undo.push(async () => running?.stop())
    const startOne = async (peer: Peer) => {
      running = await RealServer.start(settings, data[peer])
      return running
    }

    say(`making ${options.users} users, ${options.channels} channels, ${options.messages} messages …`)
    await (await startOne('floor')).stop()
    const server = await startOne('parley')
    await seed(server.setting('DATABASE_URL'), options)
    await server.stop()

    const all = []
    for (let round = 1; round <= options.rounds; round++) {
      for (const peer of peers) {
        const before = performance.now()
        const server = await startOne(peer)
        const readyMs = performance.now() - before
        const rest = await measured({ used: () => usageBelow(server.pid), loads: [] }, () => sleep(options.rest * 1000))
        const bytes = workerMemory(server.pid)()
        await server.stop()
        all.push({ ...rest, peer, readyMs, bytes })
        say(`round ${round}, ${peer}: ready after ${Math.round(readyMs)} ms, worker ${Math.round(bytes / 1e6)} MB`)
      }
    }
    return all
  })
  const of = (peer: Peer, figure: (round: (typeof rounds)[number]) => number) =>
    median(rounds.filter(round => round.peer === peer).map(figure))
  const ready = (peer: Peer) => of(peer, ({ readyMs }) => readyMs)
  const megabytes = (peer: Peer) => of(peer, ({ bytes }) => bytes) / 1e6
  const result: Result = {
    scenario: 'start',
    question: questions.start,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare(rounds),
    notes: ['From the start of the program, with its databases, until it says that it is ready. One worker.'],
    tables: [
      {
        title: 'Start',
        columns: [{ name: '' }, { name: 'ready ms' }, { name: 'own memory of the worker, MB' }],
        rows: peers.map(peer => ({
          name: peer === 'floor' ? 'floor: an empty organization' : `${options.messages} messages`,
          cells: [ready(peer), megabytes(peer)],
        })),
      },
    ],
    charts: [],
    targets: [
      { what: 'ready', limit: 2, found: ready('parley') / 1000, is: 'atMost', unit: 's' },
      { what: 'memory of a worker without clients', limit: 80, found: megabytes('parley'), is: 'atMost', unit: 'MB' },
    ],
  }
  printResult(result, options.json)
}
