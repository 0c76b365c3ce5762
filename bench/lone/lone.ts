import { setTimeout as sleep } from 'node:timers/promises'
import { type Usage, usageBelow } from '../lib/cpu.js'
import { measured } from '../lib/measured.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { type Undo, undone } from '../lib/undo.js'
import { SendFloor, SendLoad } from '../send/processes.js'
import { type LoneOptions, readLoneOptions } from './options.js'
import { type LoneFigures, type LoneRounds, loneFigures, loneResult } from './result.js'

// In ms: outbox cleanup follows seconds after publishing, and its cost counts for the message.
const afterwardsMs = 4500
// The code of both servers is compiled after as many messages.
const warmUpSeconds = 8
const people = 10

export async function lone(args: string[]): Promise<void> {
  const { json, ...options } = readLoneOptions(args)
  const rounds = await undone(undo => measureAll(options, undo))
  printResult(loneResult(options, rounds), json)
}

async function measureAll(options: LoneOptions, undo: Undo): Promise<LoneRounds> {
  say('starting the server and the floor …')
  const server = await RealServer.start({ WORKERS: String(options.workers) })
  undo.push(() => server.stop())
  const floor = await SendFloor.start(server.address('DATABASE'))
  undo.push(() => floor.stop())
  const load = new SendLoad()
  undo.push(() => load.stop())
  const [owner, ...senders] = await makeAccounts(server, people + 1)
  if (!owner) throw new Error('the organization has no owner')
  const channelId = await makeChannel(server, owner, 'lone', senders)

  const ports = { parley: Number(server.url.port), floor: floor.port }
  // The idle server beside the floor has its timers, in its workers: only PostgreSQL is shared.
  const used = {
    parley: () => usageBelow(server.pid),
    floor: (): Usage => ({ ...usageBelow(floor.pid), postgres: usageBelow(server.pid).postgres }),
  }
  const { perSecond, seconds, text: textLength } = options
  const common = { transport: 'http', inFlight: 1, channelId, senders, textLength } as const
  const run = async (name: keyof LoneRounds): Promise<LoneFigures> => {
    const timed = <Found>(work: () => Promise<Found>) =>
      measured({ used: used[name], loads: [load.pid] }, async () => {
        const found = await work()
        await sleep(afterwardsMs)
        return found
      })
    const idle = await timed(() => sleep(seconds * 1000))
    const found = await timed(() => load.run({ ...common, port: ports[name], seconds, perSecond }))
    return loneFigures(found, idle.usage)
  }

  say('warming up …')
  for (const name of ['floor', 'parley'] as const) {
    await load.run({ ...common, port: ports[name], seconds: Math.min(warmUpSeconds, seconds) })
  }
  await sleep(afterwardsMs)
  const rounds: LoneRounds = { floor: [], parley: [] }
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of round % 2 === 1 ? (['floor', 'parley'] as const) : (['parley', 'floor'] as const)) {
      const figures = await run(name)
      rounds[name].push(figures)
      say(`round ${round}, ${name}: ${figures.sumUs.toFixed(0)} µs, p50 ${figures.p50Ms.toFixed(2)} ms`)
    }
  }
  return rounds
}
