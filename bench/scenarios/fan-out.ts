import { setTimeout as sleep } from 'node:timers/promises'
import { type FanOutOptions, readOptions } from '../lib/arguments.js'
import { difference, machineUsage, total, usageBelow } from '../lib/cpu.js'
import { type Figures, figuresOf } from '../lib/figures.js'
import { Floor } from '../lib/floor.js'
import { Load } from '../lib/load.js'
import type { Run, RunResult } from '../lib/load-protocol.js'
import { makeAudience } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import { printReport } from '../lib/report.js'

/** How many messages are under way: one, so that nothing can be sent together, or a burst. */
export const modes = { oneAtATime: 1, eightInFlight: 8 } as const
export type Mode = keyof typeof modes
export type PeerName = 'floor' | 'parley'
export type Rounds = Record<Mode, Record<PeerName, Figures[]>>

// What a run left to be done later (acknowledgements, logs written behind) belongs to it: it is over well within this time.
const quietMs = 1500

/** How much CPU does one delivery of a channel message cost, and what would be possible on this machine? */
export async function fanOut(args: string[]): Promise<void> {
  const options = readOptions(args)
  const undo: (() => unknown)[] = []
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
  })
  try {
    const { rounds, frameBytes } = await Promise.race([measure(options, undo), interrupted])
    printReport(options, rounds, frameBytes)
  } finally {
    for (const stop of undo.reverse()) await stop()
  }
}

async function measure(options: FanOutOptions, undo: (() => unknown)[]) {
  const { queues, events, codec, workers } = options
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say(`starting the server with ${workers} worker${workers === 1 ? '' : 's'} and the floor …`)
  const server = await RealServer.start({ WORKERS: String(workers) })
  undo.push(() => server.stop())
  const floor = await Floor.start()
  undo.push(() => floor.stop())
  const load = new Load()
  undo.push(() => load.stop())

  say(`making ${queues} users, their subscriptions, queues and sockets …`)
  const { sender, subscribers: accounts, channelId } = await makeAudience(server, queues)
  const host = '127.0.0.1'
  const common = { host, codec, accounts, sender, channelId, textLength: options.text, ackMs: options.ack }
  await load.open({ ...common, name: 'parley', port: Number(server.url.port), isFloor: false })
  await load.open({ ...common, name: 'floor', port: floor.port, isFloor: true })

  say('warming up …')
  const { first, recorded } = await load.run('parley', { events, inFlight: 1, isRecording: true })
  if (recorded.length !== events) throw new Error(`${recorded.length} frames for ${events} events sent one at a time`)
  await floor.hold({ frames: recorded, isBinary: codec === 'msgpack' })
  const peers = {
    // The same frames in each run: what the floor sends is what our server sent, byte by byte.
    floor: { pid: floor.process.pid as number, first },
    parley: { pid: server.pid, first: undefined },
  }
  for (const inFlight of Object.values(modes)) {
    await load.run('floor', { events, inFlight, first })
    await load.run('parley', { events, inFlight })
  }

  const rounds: Rounds = {
    oneAtATime: { floor: [], parley: [] },
    eightInFlight: { floor: [], parley: [] },
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const mode of Object.keys(modes) as Mode[]) {
      for (const name of inTurn(round)) {
        const run: Run = { events, inFlight: modes[mode], first: peers[name].first }
        rounds[mode][name].push(await measured(load, name, peers[name].pid, run))
      }
      const [theirs, ours] = [rounds[mode].floor.at(-1), rounds[mode].parley.at(-1)] as [Figures, Figures]
      say(`round ${round}, ${mode}: floor ${theirs.sumUs.toFixed(2)} µs, parley ${ours.sumUs.toFixed(2)} µs`)
    }
  }
  return { rounds, frameBytes: Math.round(recorded.reduce((sum, { length }) => sum + length, 0) / recorded.length) }
}

/** Who comes first changes with every round, so that neither always has the machine as the other left it. */
const inTurn = (round: number): PeerName[] => (round % 2 === 1 ? ['floor', 'parley'] : ['parley', 'floor'])

async function measured(load: Load, name: PeerName, pid: number, run: Run): Promise<Figures> {
  await load.settle(name)
  await sleep(quietMs)
  const before = { server: usageBelow(pid), load: usageBelow(load.pid), machine: machineUsage() }
  const result: RunResult = await load.run(name, run)
  await load.settle(name)
  await sleep(quietMs)
  const server = difference(usageBelow(pid), before.server)
  const client = difference(usageBelow(load.pid), before.load)
  const machine = machineUsage()
  const ours = [server, client].flatMap(usage => Object.values(usage)).reduce((sum, cpu) => sum + total(cpu), 0)
  const others = machine.busy - before.machine.busy - ours
  return figuresOf(server, result, Math.max(0, others / (machine.all - before.machine.all)))
}
