import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Bystanding, Stalls } from '../lib/bystanders.js'
import { Child } from '../lib/child.js'
import { total, type Usage, usageBelow } from '../lib/cpu.js'
import type { Account } from '../lib/load-protocol.js'
import { machine } from '../lib/machine.js'
import { type Measured, measured } from '../lib/measured.js'
import { memoryBelow } from '../lib/memory.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import { RealServer } from '../lib/real-server.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { senderFor } from '../lib/sender.js'
import { median, othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import type { ResumeFrames } from './floor-process.js'
import { killProcess } from './kill-process.js'
import type { Returned, ReturningCommand } from './protocol.js'

interface Round {
  readonly ours: Measured<Returned>
  readonly floor: Measured<Returned>
  /** Measured while the clients reconnect. */
  readonly stalls: Stalls
}

// In ms: before the next round the supervisor replaces the dead worker, and another worker adopts its queues.
const restMs = 6000
const bystanders = 9
const bystanderMs = 20

/** Clients lose their connections because a worker dies, and all reconnect at once. */
export async function resume(args: string[]): Promise<void> {
  const options = readOptions(args)
  const rounds = await undone(async undo => {
    say('starting the server and the floor …')
    const server = await RealServer.start({ WORKERS: '2' })
    undo.push(() => server.stop())
    const start = <Command extends object, Answer>(program: string) => {
      const child = new Child<Command, Answer>(program)
      undo.push(() => child.stop())
      return child
    }
    const clients = start<ReturningCommand, { returned?: Returned }>('resume/returning-process')
    const floorClients = start<ReturningCommand, { returned?: Returned }>('resume/returning-process')
    const aside = start<{ open?: Bystanding }, { stalls?: Stalls }>('lib/bystander-process')
    const floor = start<ResumeFrames, { port?: number }>('resume/floor-process')
    const floorPort = await floor.heard()

    say(`making ${options.clients} users, their queues and sockets …`)
    const accounts = await makeAccounts(server, options.clients + bystanders + 1)
    const sender = accounts[0] as Account
    const others = accounts.slice(1, bystanders + 1)
    const readers = accounts.slice(bystanders + 1)
    const port = Number(server.url.port)
    const channelId = await makeChannel(server, sender, 'measurement', readers)
    const asideId = await makeChannel(server, sender, 'aside', others)
    const { codec } = options
    await clients.ask({ do: 'open', target: { port, codec, accounts: readers, isFloor: false } })
    await floorClients.ask({
      do: 'open',
      target: { port: floorPort.port as number, codec, accounts: readers, isFloor: true },
    })
    await aside.ask({ open: { port, codec, accounts: others, channelId: asideId, every: bystanderMs } })

    let first = 1
    const used = (): Usage => usageBelow(server.pid)
    const loads = [clients.pid, floorClients.pid, aside.pid]
    const all: Round[] = []
    for (let round = 0; round <= options.rounds; round++) {
      const missed = { first, count: options.behind, together: options.together }
      first += options.behind
      const workers = memoryBelow(server.pid).filter(({ role }) => role === 'worker')
      await killProcess((workers[round % workers.length] as { pid: number }).pid)
      await clients.ask({ do: 'leave' })
      // A new connection, because the previous one may have been to the dead worker.
      const target = { name: 'parley', host: '127.0.0.1', port, codec, isFloor: false, accounts: [], ackMs: 0 }
      const send = senderFor({ ...target, sender, channelId, textLength: options.text })
      for (let number = missed.first; number < first; number++) await send(number)
      await aside.ask({})
      const ours = await measured(
        { used, loads },
        async () => (await clients.ask({ do: 'return', missed })).returned as Returned,
      )
      const stalls = (await aside.ask({})).stalls as Stalls
      await sleep(restMs)
      await floor.ask({ frames: ours.found.frames, isBinary: codec === 'msgpack' })
      await floorClients.ask({ do: 'leave' })
      const theirs = await measured(
        { used: () => usageBelow(floor.pid), loads: [...loads, server.pid] },
        async () => (await floorClients.ask({ do: 'return', missed })).returned as Returned,
      )
      // The first round is the warm-up.
      if (round > 0) all.push({ ours, floor: theirs, stalls })
      say(
        `round ${round}: ${Math.round(ours.found.elapsedMs)} ms, floor ${Math.round(theirs.found.elapsedMs)} ms, longest stall ${Math.round(stalls.longestDelivery)} ms`,
      )
    }
    return all
  })
  printResult(resultOf(options, rounds), options.json)
}

function resultOf(options: ResumeOptions, rounds: readonly Round[]): Result {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure))
  const cpu = (part: keyof Usage, peer: 'ours' | 'floor') =>
    of(round => total(round[peer].usage[part]) / options.clients)
  const row = (name: string, peer: 'ours' | 'floor') => ({
    name,
    cells: [
      of(round => round[peer].found.elapsedMs),
      of(round => round[peer].found.p50),
      of(round => round[peer].found.p99),
      cpu('server', peer),
      peer === 'ours' ? cpu('redis', peer) : null,
      peer === 'ours' ? cpu('postgres', peer) : null,
      peer === 'ours' ? of(round => total(round.ours.usage.server) / total(round.floor.usage.server)) : 1,
    ],
  })
  const longest = of(({ stalls }) => Math.max(stalls.longestDelivery, stalls.longestSend))
  return {
    scenario: 'resume',
    question: questions.resume,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare(rounds.map(({ ours }) => ours)),
    notes: [
      `${options.clients} clients of two workers, one of which is killed; ${options.behind} events behind; all come back at once, ${options.together} connections being made at a time.`,
      'The floor accepts the same upgrades and sends the same bytes, and knows no queues. CPU in microseconds for each client.',
    ],
    tables: [
      {
        title: 'Until all are live',
        columns: [
          { name: '' },
          { name: 'all ms' },
          { name: 'p50 ms' },
          { name: 'p99 ms' },
          { name: 'server µs', decimals: 1 },
          { name: 'Redis µs', decimals: 1 },
          { name: 'PostgreSQL µs', decimals: 1 },
          { name: '× floor', decimals: 2 },
        ],
        rows: [row('parley', 'ours'), row('floor', 'floor')],
      },
      {
        title: 'Bystanders meanwhile: a message every 20 ms to eight readers',
        columns: [{ name: '' }, { name: 'longest ms', decimals: 1 }],
        rows: [
          { name: 'from sending to having it', cells: [of(({ stalls }) => stalls.longestDelivery)] },
          { name: 'sending', cells: [of(({ stalls }) => stalls.longestSend)] },
        ],
      },
    ],
    charts: [
      {
        title: 'Until all clients are live again',
        kind: 'bars',
        x: { name: '' },
        y: { name: 'ms' },
        series: [
          { name: 'parley', points: [['all', of(({ ours }) => ours.found.elapsedMs)]] },
          { name: 'floor', points: [['all', of(({ floor }) => floor.found.elapsedMs)]] },
        ],
      },
    ],
    targets: [
      {
        what: 'all live after their reconnect',
        limit: 3,
        found: of(({ ours }) => ours.found.elapsedMs) / 1000,
        is: 'atMost',
        unit: 's',
      },
      { what: 'longest stall of a bystander', limit: 100, found: longest, is: 'atMost', unit: 'ms' },
    ],
  }
}

interface ResumeOptions {
  readonly clients: number
  readonly behind: number
  readonly rounds: number
  readonly text: number
  readonly together: number
  readonly codec: 'json' | 'msgpack'
  readonly json: boolean
}

function readOptions(args: string[]): ResumeOptions {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: '5000' },
      behind: { type: 'string', default: '50' },
      rounds: { type: 'string', default: '3' },
      text: { type: 'string', default: '594' },
      together: { type: 'string', default: '200' },
      codec: { type: 'string', default: 'json' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: 'clients' | 'behind' | 'rounds' | 'text' | 'together') => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  const { codec, json } = values
  if (codec !== 'json' && codec !== 'msgpack') throw new Error('--codec is json or msgpack')
  return {
    clients: count('clients'),
    behind: count('behind'),
    rounds: count('rounds'),
    text: count('text'),
    together: count('together'),
    codec,
    json,
  }
}
