import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { total, usageBelow } from '../lib/cpu.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { call, longestLeaseMs, makeAccounts, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { type Undo, undone } from '../lib/undo.js'
import { type SendFigures, sendFigures } from '../send/figures.js'
import { SendLoad } from '../send/processes.js'
import { type PersonalOptions, readPersonalOptions } from './options.js'
import { type PersonalRounds, personalResult, type Receipts } from './result.js'

// In ms: outbox cleanup follows three seconds after publishing, and its cost counts for the message.
const afterwardsMs = 4500
const sendingPeople = 10
const textLength = 594
const preparedAtOnce = 16

/** What personal features cost those who send: alert words of all users, and polls in the channel. */
export async function personal(args: string[]): Promise<void> {
  const { json, ...options } = readPersonalOptions(args)
  const { rounds, receipts } = await undone(undo => measureAll(options, undo))
  printResult(personalResult(options, rounds, receipts), json)
}

interface Side {
  readonly server: RealServer
  readonly people: readonly Account[]
  /** Of the senders. */
  readonly channelId: number
}

async function measureAll(
  options: PersonalOptions,
  undo: Undo,
): Promise<{ rounds: PersonalRounds; receipts: Receipts }> {
  say(`starting two servers with ${options.users} users each …`)
  const sides = { without: await startSide(options, undo), with: await startSide(options, undo) }
  say(`giving alert words to all users of one, and making ${options.polls} polls …`)
  await makePersonal(sides.with, options)
  const load = new SendLoad()
  undo.push(() => load.stop())

  const run = async (name: keyof PersonalRounds): Promise<SendFigures> => {
    const { server, people, channelId } = sides[name]
    const used = () => usageBelow(server.pid)
    const sent = await measured({ used, loads: [load.pid] }, async () => {
      const result = await load.run({
        port: Number(server.url.port),
        transport: 'http',
        inFlight: options.senders,
        channelId,
        senders: people.slice(0, sendingPeople),
        textLength,
        seconds: options.seconds,
      })
      await sleep(afterwardsMs)
      return result
    })
    return sendFigures(sent)
  }
  const names = ['without', 'with'] as const
  say('warming up …')
  for (const name of names) await run(name)
  const rounds: PersonalRounds = { without: [], with: [] }
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of round % 2 === 1 ? names : names.toReversed()) {
      const figures = await run(name)
      rounds[name].push(figures)
      say(`round ${round}, ${name}: ${figures.sumUs.toFixed(0)} µs, ${figures.perSecond.toFixed(0)} a second`)
    }
  }
  say(`one message is read by every second of ${options.users} people …`)
  return { rounds, receipts: await readReceipts(sides.with, options) }
}

async function startSide({ users }: PersonalOptions, undo: Undo): Promise<Side> {
  const server = await RealServer.start({ WORKERS: '1' })
  undo.push(() => server.stop())
  const [owner, ...people] = await makeAccounts(server, users + 1)
  if (!owner) throw new Error('the organization has no owner')
  const channelId = await makeChannel(server, owner, 'small', people.slice(0, sendingPeople))
  return { server, people, channelId }
}

/** Words that the text of the messages does not contain; each poll gets a vote. */
async function makePersonal({ server, people, channelId }: Side, { polls }: PersonalOptions): Promise<void> {
  const words = (i: number) => JSON.stringify([`project ${i}`, 'deployment', `ticket-${i % 100}`])
  await forEach(people, (person, i) => call(server, person, 'POST', '/users/me/alert_words', { alert_words: words(i) }))
  const numbers = Array.from({ length: polls }, (_, i) => i)
  await forEach(numbers, async i => {
    const author = people[i % sendingPeople] as Account
    const content = `/poll Question ${i}?\nyes\nno`
    const sent = await call(server, author, 'POST', '/messages', message(channelId, content))
    await call(server, author, 'POST', '/submessage', {
      message_id: String(sent.id),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    })
  })
}

const message = (channelId: number, content: string) => ({
  type: 'stream',
  to: String(channelId),
  topic: 'measurement',
  content,
})

/** CPU time of the receipts of a message in a channel of all users, which every second of them has read. */
async function readReceipts({ server, people }: Side, { receipts }: PersonalOptions): Promise<Receipts> {
  const [author] = people as [Account]
  await allowReceipts(server)
  const channelId = await makeChannel(server, author, 'large', people)
  const { id } = await call(server, author, 'POST', '/messages', message(channelId, 'to all'))
  const readers = people.filter((_, i) => i % 2 === 1)
  const flags = { messages: JSON.stringify([id]), op: 'add', flag: 'read' }
  await forEach(readers, reader => call(server, reader, 'POST', '/messages/flags', flags))
  const ask = async () => (await call(server, author, 'GET', `/messages/${id}/read_receipts`, {})).user_ids as number[]
  const found = (await ask()).length
  if (found !== readers.length) throw new Error(`${readers.length} people read the message, the answer has ${found}`)
  const { usage } = await measured({ used: () => usageBelow(server.pid), loads: [] }, async () => {
    for (let i = 0; i < receipts; i++) await ask()
  })
  return {
    readers: found,
    serverUs: total(usage.server) / receipts,
    postgresUs: total(usage.postgres) / receipts,
  }
}

/** The setting has no operation of the API. */
async function allowReceipts(server: RealServer): Promise<void> {
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  try {
    await sql`
      update organization set version = version + 1, settings = settings || ${sql.json({ enable_read_receipts: true })}`
    await sleep(longestLeaseMs)
  } finally {
    await sql.end()
  }
}

/** Runs the work for each item, some at once. */
async function forEach<Item>(items: readonly Item[], work: (item: Item, i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const runner = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as Item, i)
  }
  await Promise.all(Array.from({ length: preparedAtOnce }, runner))
}
