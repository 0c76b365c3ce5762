import { setTimeout as sleep } from 'node:timers/promises'
import { type Usage, usageBelow } from '../lib/cpu.js'
import { DatabaseLook } from '../lib/database-look.js'
import { Load } from '../lib/load.js'
import { measured } from '../lib/measured.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { undone } from '../lib/undo.js'
import { type SendFigures, sendFigures } from './figures.js'
import { readSendOptions, type SendOptions } from './options.js'
import { SendFloor, SendLoad } from './processes.js'
import type { SendRun, Transport } from './protocol.js'
import { type SendRounds, sendResult } from './result.js'

// In ms: outbox cleanup follows three seconds after publishing, and its cost counts for the message.
const afterwardsMs = 4500
const smallChannel = 10

interface Case {
  readonly name: keyof SendRounds
  readonly transport: Transport
  readonly inFlight: number
  readonly channel: 'small' | 'large'
}

export async function send(args: string[]): Promise<void> {
  const { json, ...options } = readSendOptions(args)
  const rounds = await undone(undo => measureAll(options, undo))
  printResult(sendResult(options, rounds), json)
}

async function measureAll(options: SendOptions, undo: (() => unknown)[]): Promise<SendRounds> {
  say('starting the server and the floor …')
  const server = await RealServer.start({ WORKERS: String(options.workers) })
  undo.push(() => server.stop())
  const floor = await SendFloor.start(server.address('DATABASE'))
  undo.push(() => floor.stop())
  const load = new SendLoad()
  undo.push(() => load.stop())
  const readers = new Load()
  undo.push(() => readers.stop())
  const database = new DatabaseLook(server.setting('DATABASE_URL'))
  undo.push(() => database.stop())

  say(`making ${options.subscribers} users, their channels and ${options.connected} queues …`)
  const [owner, ...people] = await makeAccounts(server, options.subscribers + 1)
  if (!owner) throw new Error('the organization has no owner')
  const channels = {
    small: await makeChannel(server, owner, 'small', people.slice(0, smallChannel)),
    large: await makeChannel(server, owner, 'large', people),
  }
  // The senders have no queue, so messages to the small channel are not delivered.
  const port = Number(server.url.port)
  await readers.open({
    name: 'parley',
    host: '127.0.0.1',
    port,
    codec: 'json',
    isFloor: false,
    accounts: people.slice(-options.connected),
    sender: owner,
    channelId: channels.large,
    textLength: options.text,
    ackMs: 200,
  })

  const runOf = ({ transport, inFlight, channel }: Case): Omit<SendRun, 'port'> => ({
    transport,
    inFlight,
    channelId: channels[channel],
    senders: people.slice(0, smallChannel),
    textLength: options.text,
    seconds: options.seconds,
  })
  const counted = async () => (await database.sizes()).messages

  const ours = async (one: Case): Promise<SendFigures> => {
    const before = await counted()
    const used = () => usageBelow(server.pid)
    const run = await measured({ used, loads: [load.pid, readers.pid] }, async () => {
      const result = await load.run({ port, ...runOf(one) })
      await sleep(afterwardsMs)
      return result
    })
    const stored = (await counted()) - before
    if (stored !== run.found.sent) throw new Error(`${run.found.sent} messages were accepted, ${stored} are stored`)
    return sendFigures(run)
  }
  const theirs = async (one: Case): Promise<SendFigures> => {
    const used = (): Usage => ({ ...usageBelow(floor.pid), postgres: usageBelow(server.pid).postgres })
    return sendFigures(await measured({ used, loads: [load.pid] }, () => load.run({ port: floor.port, ...runOf(one) })))
  }

  const cases: Case[] = [
    { name: 'http', transport: 'http', inFlight: options.senders, channel: 'small' },
    { name: 'socket', transport: 'socket', inFlight: options.senders, channel: 'small' },
    { name: 'alone', transport: 'http', inFlight: 1, channel: 'small' },
    { name: 'large', transport: 'http', inFlight: options.senders, channel: 'large' },
  ]
  const rounds: SendRounds = { http: [], socket: [], alone: [], large: [] }
  say('warming up …')
  for (const one of cases) {
    await load.run({ port: floor.port, ...runOf(one) })
    await load.run({ port, ...runOf(one) })
  }
  await sleep(afterwardsMs)
  for (let round = 1; round <= options.rounds; round++) {
    for (const one of cases) {
      const isFloorFirst = round % 2 === 1
      // A message to the large channel is compared with one to the small channel.
      const floorFirst = isFloorFirst ? await theirs(one) : undefined
      const parley = await ours(one)
      const found = { floor: floorFirst ?? (await theirs(one)), parley }
      rounds[one.name].push(found)
      say(`round ${round}, ${one.name}: floor ${found.floor.sumUs.toFixed(0)} µs, parley ${parley.sumUs.toFixed(0)} µs`)
    }
  }
  return rounds
}
