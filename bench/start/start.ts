import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { workerMemory } from '../lib/memory.js'
import { readOptions } from '../lib/options.js'
import { RealServer, temporaryData } from '../lib/real-server.js'
import { atMost, type Result } from '../lib/result.js'
import { seed } from '../lib/seeded.js'
import { othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'

const defaults = { users: 200, channels: 20, messages: 1_000_000, rounds: 5, rest: 10 }

/** Starts a server with a long history. */
export async function start(args: string[]): Promise<Result> {
  const options = readOptions(args, defaults)
  const rounds = await undone(undo => measureAll(undo, options))
  const readyMs = medianOf(rounds, round => round.readyMs)
  const megabytes = medianOf(rounds, ({ bytes }) => bytes) / 1e6
  return {
    options,
    othersShare: othersShare(rounds),
    notes: ['From the start of the program, with its databases, until it says that it is ready. One worker.'],
    tables: [
      {
        title: 'Start',
        columns: ['ready ms', 'own memory of the worker, MB'],
        rows: [[`${options.messages} messages`, readyMs, megabytes]],
      },
    ],
    targets: [
      atMost(2, 's', 'ready', readyMs / 1000),
      atMost(80, 'MB', 'memory of a worker without clients', megabytes),
    ],
  }
}

async function measureAll(undo: Undo, options: Readonly<typeof defaults>) {
  const data = await temporaryData()
  undo.push(() => rm(data, { recursive: true, force: true }))
  let running: RealServer | undefined
  undo.push(async () => running?.stop())
  const startOne = async () => {
    running = await RealServer.start({ WORKERS: '1' }, data)
    return running
  }

  say(`making ${options.users} users, ${options.channels} channels, ${options.messages} messages …`)
  const server = await startOne()
  await seed(server.setting('DATABASE_URL'), options)
  await server.stop()

  const all = []
  for (let round = 1; round <= options.rounds; round++) {
    const before = performance.now()
    const server = await startOne()
    const readyMs = performance.now() - before
    const rest = await measured({ used: () => usageBelow(server.pid), loads: [] }, () => sleep(options.rest * 1000))
    const bytes = workerMemory(server.pid)()
    await server.stop()
    all.push({ ...rest, readyMs, bytes })
    say(`round ${round}: ready after ${Math.round(readyMs)} ms, worker ${Math.round(bytes / 1e6)} MB`)
  }
  return all
}
