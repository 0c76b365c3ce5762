import type { Client } from '../../shared/client/client.js'
import type { Account } from '../lib/load-protocol.js'
import { paddedText } from '../lib/sender.js'
import { keys, marked } from './event-key.js'
import type { Expected, Reach } from './ledger.js'
import type { Reading } from './reader.js'
import type { SoakChannel, World } from './world.js'

interface RecentMessage {
  readonly id: number
  readonly channel: SoakChannel
  readonly sender: Account
}

const topics = 20
// Number of messages kept; all of them are recent enough to be edited.
const mostRecent = 200

/** The actions of users; each records the expected events in the ledger. */
export class Deeds {
  /** For further actions; each message has one action at a time, so that the result is known. */
  private readonly recent: RecentMessage[] = []
  private readonly moving = new Set<number>()
  private number = 0

  constructor(
    private readonly reading: Reading,
    private readonly world: World,
    /** Clients without queues that only send, by account. */
    private readonly senders: ReadonlyMap<number, Client>,
  ) {}

  /** Sends a message to a channel with constant subscribers. */
  async message(): Promise<void> {
    const channel = pick(this.world.steady)
    const sender = this.memberOf(channel)
    const id = await this.send(sender, channel, 100 + Math.random() * 900)
    this.recent.push({ id, channel, sender })
    if (this.recent.length > mostRecent) this.recent.shift()
  }

  async messageToChanging(): Promise<void> {
    await this.send(this.world.owner, this.world.changing, 300)
  }

  /** Sends a message of nearly the largest size. */
  async floodMessage(): Promise<void> {
    await this.send(this.world.owner, this.world.flood, 9900)
  }

  async direct(): Promise<void> {
    const [from, to] = [pick(this.world.people), pick(this.world.people)]
    const name = this.name('d')
    const both = [from.id, to.id]
    const content = `${marked(name)} between us`
    await this.expecting(
      keys.message(name),
      user => (both.includes(user) ? 'must' : 'no'),
      () => this.ask('direct messages', from, 'POST /messages', { type: 'direct', to: both, content }),
    )
  }

  async edit(): Promise<void> {
    await this.withRecent(async ({ id, channel, sender }) => {
      const name = this.name('e')
      const content = `${marked(name)} better so`
      await this.expecting(keys.edit(name), toMembers(channel), () =>
        this.ask('edits', sender, `PATCH /messages/${id}`, { content }),
      )
    })
  }

  /** Adds a reaction and removes it. */
  async react(): Promise<void> {
    await this.withRecent(async ({ id, channel }) => {
      const who = this.memberOf(channel)
      for (const op of ['add', 'remove'] as const)
        await this.expecting(keys.reaction(id, who.id, op), toMembers(channel), () => {
          const method = op === 'add' ? 'POST' : 'DELETE'
          return this.ask('reactions', who, `${method} /messages/${id}/reactions`, { emoji_name: 'tada' })
        })
    })
  }

  async star(): Promise<void> {
    await this.withRecent(async ({ id, channel }) => {
      const who = this.memberOf(channel)
      for (const op of ['add', 'remove'] as const) {
        const params = { messages: [id], op, flag: 'starred' }
        await this.expecting(keys.star(who.id, op, String(id)), toOne(who), () =>
          this.ask('flags', who, 'POST /messages/flags', params),
        )
      }
    })
  }

  async read(): Promise<void> {
    await this.withRecent(async ({ id, channel }) => {
      const params = { messages: [id], op: 'add', flag: 'read' }
      await this.ask('flags', this.memberOf(channel), 'POST /messages/flags', params)
    })
  }

  async remove(): Promise<void> {
    const message = this.takeRecent()
    if (!message) return
    await this.expecting(keys.deletion(String(message.id)), toMembers(message.channel), () =>
      this.ask('deletions', this.world.owner, `DELETE /messages/${message.id}`),
    )
  }

  /** Typing events are ephemeral: they must not be repeated or leaked, but they may be lost. */
  async type(): Promise<void> {
    const channel = pick(this.world.steady)
    const topic = this.name('typing')
    const reach = (user: number): Reach => (channel.members.isIn(user) ? 'may' : 'no')
    for (const op of ['start', 'stop'])
      await this.expecting(keys.typing(topic, op), reach, () =>
        this.ask('typing', this.memberOf(channel), 'POST /typing', {
          ...{ type: 'channel', op, stream_id: channel.id, topic },
        }),
      )
  }

  async comeOrGo(): Promise<void> {
    const { owner, people, changing } = this.world
    const who = pick(people)
    if (this.moving.has(who.id)) return
    this.moving.add(who.id)
    const isIn = !changing.members.isIn(who.id)
    const subscriptions = isIn ? [{ name: changing.name }] : [changing.name]
    const params = { subscriptions, principals: [who.id] }
    await this.expecting(keys.subscription(who.id, isIn ? 'add' : 'remove', changing.id), toOne(who), async () => {
      const changed = changing.members.change(who.id, isIn)
      await this.ask('subscriptions', owner, `${isIn ? 'POST' : 'DELETE'} /users/me/subscriptions`, params)
      changed()
    })
    this.moving.delete(who.id)
  }

  async report(): Promise<void> {
    const params = { status: 'active', last_update_id: -1, slim_presence: true, new_user_input: true }
    await this.ask('presence reports', pick(this.world.people), 'POST /users/me/presence', params)
  }

  async page(): Promise<void> {
    const params = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] }
    const { messages } = await this.ask('pages', pick(this.world.people), 'GET /messages', params)
    const ids = (messages as { id: number }[]).map(({ id }) => id)
    if (ids.some((id, i) => id <= (ids[i - 1] ?? 0))) throw new Error(`a page of messages is out of order: ${ids}`)
  }

  private takeRecent = (): RecentMessage | undefined =>
    this.recent.splice(Math.floor(Math.random() * this.recent.length), 1)[0]

  private async withRecent(act: (message: RecentMessage) => Promise<void>): Promise<void> {
    const message = this.takeRecent()
    if (!message) return
    await act(message)
    this.recent.push(message)
  }

  private async send(sender: Account, channel: SoakChannel, length: number): Promise<number> {
    const name = this.name('m')
    const topic = `topic ${Math.floor(Math.random() * topics)}`
    const params = { type: 'channel', to: channel.id, topic, content: paddedText(marked(name), length) }
    const { id } = await this.expecting(keys.message(name), toMembers(channel), () =>
      this.ask('messages', sender, 'POST /messages', params),
    )
    return id as number
  }

  /** Records an event in the ledger before the request that causes it, and its end after the answer. */
  private async expecting<Answer>(key: string, reach: Expected['reach'], work: () => Promise<Answer>): Promise<Answer> {
    const expected = this.reading.ledger.begin(key, reach)
    const answer = await work()
    expected.ended = performance.now()
    return answer
  }

  /** `request`: method and path. Every second one goes over a socket, if the account has a sending client. */
  private ask(what: string, who: Account, request: string, params: Readonly<Record<string, unknown>> = {}) {
    this.reading.count(`did: ${what}`)
    const [method = '', path = ''] = request.split(' ')
    const client = this.number % 2 === 0 ? this.senders.get(who.id) : undefined
    return client ? client.request(method, path, params) : this.reading.api.call(who, method, path, params)
  }

  /** A unique name. */
  private name(kind: string): string {
    this.number += 1
    return `${kind}${this.number}`
  }

  private memberOf = ({ members }: SoakChannel): Account => pick(this.world.people.filter(({ id }) => members.isIn(id)))
}

const toMembers =
  ({ members }: SoakChannel): Expected['reach'] =>
  (user, expected) =>
    members.reach(user, expected)
const toOne =
  ({ id }: Account): Expected['reach'] =>
  user =>
    user === id ? 'must' : 'no'

export const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One
