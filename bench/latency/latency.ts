import { setTimeout as sleep } from 'node:timers/promises'
import { usageBelow } from '../lib/cpu.js'
import { Floor } from '../lib/floor.js'
import { Load } from '../lib/load.js'
import type { Run } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { makeAudience } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { type Undo, undone } from '../lib/undo.js'
import { type LatencyOptions, readLatencyOptions } from './options.js'
import { type LatencyRounds, latencyResult } from './result.js'

// With this many concurrent senders the run finds the sustainable rate.
const mostInFlight = 64
const quietMs = 1000

export async function latency(args: string[]): Promise<void> {
  const { json, ...options } = readLatencyOptions(args)
  const { perSecond, rounds } = await undone(undo => measureAll(options, undo))
  printResult(latencyResult(options, perSecond, rounds), json)
}

async function measureAll({ readers, events, rounds: count, workers, text }: LatencyOptions, undo: Undo) {
  say('starting the server and the floor …')
  const server = await RealServer.start({ WORKERS: String(workers) })
  undo.push(() => server.stop())
  const floor = await Floor.start()
  undo.push(() => floor.stop())
  const load = new Load()
  undo.push(() => load.stop())
  const { sender, subscribers: accounts, channelId } = await makeAudience(server, readers)
  const common = {
    host: '127.0.0.1',
    codec: 'json',
    accounts,
    sender,
    channelId,
    textLength: text,
    ackMs: 200,
  } as const
  await load.open({ ...common, name: 'parley', port: Number(server.url.port), isFloor: false })
  await load.open({ ...common, name: 'floor', port: floor.port, isFloor: true })

  say('warming up …')
  const { first, recorded: frames } = await load.run('parley', { events, inFlight: 1, isRecording: true })
  if (frames.length !== events) throw new Error(`${frames.length} frames for ${events} events sent one at a time`)
  const stores = { database: server.address('DATABASE'), content: 'x'.repeat(text) }
  await floor.hold({ frames, isBinary: false, stores })
  await load.run('floor', { events, inFlight: 1, first })
  await load.run('floor', { events, inFlight: mostInFlight, first })

  await load.run('parley', { events, inFlight: mostInFlight })
  const { elapsedMs } = await load.run('parley', { events, inFlight: mostInFlight })
  const perSecond = Math.round((events / elapsedMs) * 500)
  say(`${Math.round((events / elapsedMs) * 1000)} messages a second can be sustained: sending ${perSecond}`)

  const rounds: LatencyRounds = { floor: [], parley: [] }
  const runs = { floor: { events, inFlight: 1, perSecond, first }, parley: { events, inFlight: 1, perSecond } }
  const pids = { floor: floor.process.pid as number, parley: server.pid }
  const runOne = async (name: keyof LatencyRounds) => {
    const run: Run = runs[name]
    await sleep(quietMs)
    // The floor stores messages in the server's PostgreSQL: its time counts, that of the idle workers does not.
    const used = () => ({ ...usageBelow(pids[name]), postgres: usageBelow(server.pid).postgres })
    const { found, usage, othersShare } = await measured({ used, loads: [load.pid] }, () => load.run(name, run))
    rounds[name].push({ ...found, usage, othersShare })
    say(
      `${name}: p50 ${found.p50.toFixed(2)} ms, p99 ${found.p99.toFixed(2)} ms, longest ${found.longest.toFixed(1)} ms`,
    )
  }
  for (let round = 1; round <= count; round++) {
    for (const name of round % 2 === 1 ? (['floor', 'parley'] as const) : (['parley', 'floor'] as const))
      await runOne(name)
  }
  return { perSecond, rounds }
}
