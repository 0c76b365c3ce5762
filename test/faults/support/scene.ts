import { type Client, connect } from '../../../shared/client/index.js'
import { quick } from '../../support/client-log.js'
import type { Person } from '../../support/people.js'
import type { Random } from '../../support/random.js'
import type { TestServer } from '../../support/server.js'
import { ClientReader } from './client-reader.js'
import { type Comparison, countAll } from './count.js'
import { Ledger } from './ledger.js'
import { PlainReader } from './plain-reader.js'
import { PollReader } from './poll-reader.js'
import type { Reader } from './reader.js'
import { type Conversations, overHttp, overNewConnections, overSocket, type Post, Sender, sendOne } from './senders.js'
import { type StoredMessages, storedMessages } from './stored-messages.js'
import { eventually } from './wait.js'
import { WanderingReader } from './wandering-reader.js'

// Enough that at any moment something is under way, and so little that two cores can do it beside a restart.
const usualPauseMs = 20
// Only what hangs takes so long.
const usualPatienceMs = 30_000

/** What a scene needs of a server. */
export type Stage = Pick<TestServer, 'url' | 'sql' | 'person'>

export interface SceneOptions {
  readonly random: Random
  readonly senders?: number
  /** Between an answer and the next message of the same sender. */
  readonly pauseMs?: number
  /** How long a sender waits for an answer. */
  readonly patienceMs?: number
}

/**
 * An organization at work: a public channel that all readers follow, a private one for half of them, and direct messages to
 * two. Readers of every kind, in every conversation; senders that begin with `send()`.
 */
export class Scene {
  readonly ledger = new Ledger()
  readonly readers: Reader[] = []
  private readonly senders: Sender[] = []
  private readonly clients: Client[] = []

  private constructor(
    readonly server: Stage,
    private readonly options: SceneOptions,
    private readonly people: readonly Person[],
    private readonly conversations: Conversations,
  ) {}

  static async start(server: Stage, options: SceneOptions): Promise<Scene> {
    const writers = await crowd(server, options.senders ?? 6)
    const first = writers[0] as Person
    const insiders = await crowd(server, kinds.length)
    const outsiders = await crowd(server, kinds.length)
    const everybody = [...writers, ...insiders, ...outsiders]
    await openChannel(first, 'open', everybody, false)
    await openChannel(first, 'closed', [...writers, ...insiders], true)
    const [one, other] = [insiders[0], outsiders[1]] as [Person, Person]
    const conversations = new Map<string, Record<string, unknown>>([
      ['open', { type: 'stream', to: 'open', topic: 'load' }],
      ['closed', { type: 'stream', to: 'closed', topic: 'load' }],
      ['direct', { type: 'direct', to: [one.id, other.id] }],
    ])
    const scene = new Scene(server, options, writers, conversations)
    const seesOf = (person: Person, isInsider: boolean) =>
      new Set(['open', ...(isInsider ? ['closed'] : []), ...([one, other].includes(person) ? ['direct'] : [])])
    for (const [people, isInsider] of [
      [insiders, true],
      [outsiders, false],
    ] as const) {
      for (const [i, person] of people.entries()) {
        const [name, start] = kinds[i] as (typeof kinds)[number]
        const who = `${name} ${isInsider ? 'inside' : 'outside'}`
        scene.readers.push(await start(who, seesOf(person, isInsider), person, options.random))
      }
    }
    return scene
  }

  /** A user who follows only the public channel, for the test's own readers. */
  async follower(): Promise<{ person: Person; sees: ReadonlySet<string> }> {
    const person = await this.server.person()
    await openChannel(this.people[0] as Person, 'open', [person], false)
    return { person, sees: new Set(['open']) }
  }

  /** Waits until this many more messages are acknowledged. */
  async passes(messages: number): Promise<void> {
    const before = this.ledger.count('acknowledged')
    await eventually('a load that goes on', () => this.ledger.count('acknowledged') >= before + messages)
  }

  /** Starts the senders; they run until `settle`. */
  send(): void {
    const { ledger, conversations, people, options } = this
    const common = { ledger, conversations, random: options.random, pauseMs: options.pauseMs ?? usualPauseMs }
    for (const [i, person] of people.entries()) {
      const post = [overHttp, overNewConnections, this.overSocket][i % 3] as typeof overHttp
      this.senders.push(new Sender({ ...common, post: post(person, options.patienceMs ?? usualPatienceMs) }))
    }
  }

  private readonly overSocket = ({ url, email, api_key }: Person, timeoutMs: number): Post => {
    const client = connect({ ...quick, url, email, apiKey: api_key, timeoutMs })
    this.clients.push(client)
    return overSocket(client)
  }

  /** Waits until every reader has received each stored message that it may see. */
  async arrives(): Promise<void> {
    const stored = await storedMessages(this.server.sql)
    // Only missing messages are checked again, because a full search would take the readers' CPU time.
    const lacks = this.readers.map(reader => ({ reader, numbers: lackedBy(reader, stored) }))
    await eventually('every event at every reader', () => {
      for (const lack of lacks) lack.numbers = lack.numbers.filter(number => isLacked(lack.reader, number))
      return lacks.every(({ numbers }) => numbers.length === 0)
    }).catch((error: Error) => {
      const told = lacks.map(({ reader, numbers }) => `${reader.name}: ${numbers.length} of ${stored.size}`)
      throw new Error(`${error.message}; lacking ${told.join(', ')}`)
    })
  }

  /** Waits for `arrives`, removes readers whose queue is gone, and returns them. */
  async takeLost(t: { comment(...words: string[]): void }): Promise<Reader[]> {
    await this.arrives()
    const lost = this.readers.filter(({ loss }) => loss)
    for (const reader of lost) {
      t.comment(`${reader.name}: ${reader.lost}`)
      this.readers.splice(this.readers.indexOf(reader), 1)
    }
    return lost
  }

  /** Stops the load, waits until every reader has all its events and no more can arrive, and counts. */
  async settle(t: Comparison): Promise<void> {
    await Promise.all(this.senders.map(sender => sender.stop()))
    const last = await this.sendLast()
    // Outbox cleanup deletes rows after their events have been in the feed for some seconds. By then the outbox sweep
    // has run more than once, so every duplicate or forgotten event has arrived.
    await eventually('that the last messages rest', async () => (await this.outboxRows(last)) === 0, { everyMs: 200 })
    // A missing event is reported by the count below, with its name.
    await this.arrives().catch(() => undefined)
    const stored = await storedMessages(this.server.sql)
    await this.stop()
    countAll(t, this.ledger, this.readers, stored)
  }

  /** Sends the last message of every queue. */
  private async sendLast(): Promise<number[]> {
    const { ledger, conversations } = this
    const post = overHttp(this.people[0] as Person, this.options.patienceMs ?? usualPatienceMs)
    const ids: number[] = []
    for (const name of conversations.keys()) {
      const told: string[] = []
      await eventually('a server that takes the last messages', async () => {
        const outcome = await sendOne({ ledger, conversations, post }, name)
        if (outcome.kind === 'acknowledged') ids.push(outcome.messageId)
        else told.push(outcome.why)
        return outcome.kind === 'acknowledged'
      }).catch((error: Error) => {
        throw new Error(`${error.message}; it said ${told.slice(-3).join(', ')}`)
      })
    }
    return ids
  }

  private async outboxRows(messages: readonly number[]): Promise<number> {
    const { sql } = this.server
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::int as rows from outbox where message_id = any(${messages as number[]}::bigint[])`
    return row?.rows ?? 0
  }

  async stop(): Promise<void> {
    await Promise.all(this.senders.map(sender => sender.stop()))
    await Promise.all([...this.readers.map(reader => reader.stop()), ...this.clients.map(client => client.close())])
  }
}

const kinds = [
  ['client, JSON', (name, sees, person) => ClientReader.start(name, sees, person, { codec: 'json' })],
  ['client, MessagePack', (name, sees, person) => ClientReader.start(name, sees, person, { codec: 'msgpack' })],
  ['long-poll', (name, sees, person) => PollReader.start(name, sees, person)],
  ['plain socket', (name, sees, person) => PlainReader.start(name, sees, person)],
  ['wanderer', (name, sees, person, random) => WanderingReader.start(name, sees, person, { random })],
] as const satisfies readonly [
  string,
  (name: string, sees: ReadonlySet<string>, person: Person, random: Random) => Promise<Reader>,
][]

/** The messages that the reader must still receive. */
const lackedBy = (reader: Reader, stored: StoredMessages): number[] =>
  [...stored].flatMap(([number, { conversation }]) =>
    number >= reader.after && reader.sees.has(conversation) && isLacked(reader, number) ? [number] : [],
  )

/** Whether the event is missing and the reader still has its queue. */
const isLacked = ({ lost, numbers }: Reader, number: number): boolean => lost === undefined && !numbers.has(number)

const crowd = (server: Stage, size: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: size }, () => server.person()))

async function openChannel(first: Person, name: string, people: readonly Person[], isPrivate: boolean): Promise<void> {
  await first.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(person => person.id),
    invite_only: isPrivate,
    send_new_subscription_messages: false,
  })
}
