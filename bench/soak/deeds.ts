import type { Client } from '../../shared/client/client.js'
import type { Account } from '../lib/load-protocol.js'
import type { Api } from './api.js'
import { keys, marked } from './event-key.js'
import type { Expected, Ledger, Reach } from './ledger.js'
import { RecentMessages } from './recent-messages.js'
import type { Tally } from './tally.js'
import type { SoakChannel, World } from './world.js'

type Params = Readonly<Record<string, unknown>>

export interface DeedsOptions {
  readonly world: World
  readonly ledger: Ledger
  readonly tally: Tally
  readonly api: Api
  /** Clients that only send: of the same people as the account at their place. */
  readonly senders: readonly (readonly [Account, Client])[]
}

// What people write in one go.
const filler = 'the quick brown fox jumps over the lazy dog and says that all of this has been said before '
const topics = 20

/** What people do; each enters into the ledger what has to arrive because of it. */
export class Deeds {
  readonly #recent = new RecentMessages()
  #number = 0

  constructor(private readonly options: DeedsOptions) {}

  /** To a channel whose members stay. */
  async message(): Promise<void> {
    const { world } = this.options
    const channel = pick(world.steady)
    const sender = pick(world.people.filter(({ id }) => channel.members.isIn(id)))
    const id = await this.#send(sender, channel, 100 + Math.random() * 900)
    this.#recent.add({ id, channel, sender })
  }

  async messageToChanging(): Promise<void> {
    await this.#send(this.options.world.owner, this.options.world.changing, 300)
  }

  /** As long as a message can be. */
  async floodMessage(): Promise<void> {
    await this.#send(this.options.world.owner, this.options.world.flood, 9900)
  }

  async direct(): Promise<void> {
    const [from, to] = [pick(this.options.world.people), pick(this.options.world.people)]
    const name = this.#name('d')
    const both = [from.id, to.id]
    const expected = this.#expect(keys.message(name), user => (both.includes(user) ? 'must' : 'no'))
    const content = `${marked(name)} between us`
    await this.#do('direct messages', from, 'POST', '/messages', { type: 'direct', to: both, content })
    done(expected)
  }

  async edit(): Promise<void> {
    await this.#recent.use(async ({ id, channel, sender }) => {
      const name = this.#name('e')
      const expected = this.#toMembers(keys.edit(name), channel)
      await this.#do('edits', sender, 'PATCH', `/messages/${id}`, { content: `${marked(name)} better so` })
      done(expected)
    })
  }

  /** A reaction, and its end. */
  async react(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      const who = this.#memberOf(channel)
      for (const [op, method] of [
        ['add', 'POST'],
        ['remove', 'DELETE'],
      ] as const) {
        const expected = this.#toMembers(keys.reaction(id, who.id, op), channel)
        await this.#do('reactions', who, method, `/messages/${id}/reactions`, { emoji_name: 'tada' })
        done(expected)
      }
    })
  }

  async star(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      const who = this.#memberOf(channel)
      for (const op of ['add', 'remove'] as const) {
        const expected = this.#toOne(keys.star(who.id, op, String(id)), who)
        await this.#do('flags', who, 'POST', '/messages/flags', { messages: [id], op, flag: 'starred' })
        done(expected)
      }
    })
  }

  async read(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      await this.#do('flags', this.#memberOf(channel), 'POST', '/messages/flags', {
        messages: [id],
        op: 'add',
        flag: 'read',
      })
    })
  }

  async remove(): Promise<void> {
    const message = this.#recent.take()
    if (!message) return
    const expected = this.#toMembers(keys.deletion(String(message.id)), message.channel)
    await this.#do('deletions', this.options.world.owner, 'DELETE', `/messages/${message.id}`)
    done(expected)
  }

  /** Not kept by the server: it must not come twice, nor to strangers, but nothing says that it comes. */
  async type(): Promise<void> {
    const channel = pick(this.options.world.steady)
    const topic = this.#name('typing')
    for (const op of ['start', 'stop']) {
      const reach = (user: number): Reach => (channel.members.isIn(user) ? 'may' : 'no')
      const expected = this.#expect(keys.typing(topic, op), reach)
      const params = { type: 'channel', op, stream_id: channel.id, topic }
      await this.#do('typing', this.#memberOf(channel), 'POST', '/typing', params)
      done(expected)
    }
  }

  async comeOrGo(): Promise<void> {
    const { owner, people, changing } = this.options.world
    const who = pick(people)
    if (this.#moving.has(who.id)) return
    this.#moving.add(who.id)
    const isIn = !changing.members.isIn(who.id)
    const expected = this.#toOne(keys.subscription(who.id, isIn ? 'add' : 'remove', changing.id), who)
    const changed = changing.members.change(who.id, isIn)
    const subscriptions = isIn ? [{ name: changing.name }] : [changing.name]
    const params = { subscriptions, principals: [who.id] }
    await this.#do('subscriptions', owner, isIn ? 'POST' : 'DELETE', '/users/me/subscriptions', params)
    changed()
    done(expected)
    this.#moving.delete(who.id)
  }
  readonly #moving = new Set<number>()

  async report(): Promise<void> {
    const params = { status: 'active', last_update_id: -1, slim_presence: true, new_user_input: true }
    await this.#do('presence reports', pick(this.options.world.people), 'POST', '/users/me/presence', params)
  }

  async page(): Promise<void> {
    const params = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] }
    const { messages } = await this.#do('pages', pick(this.options.world.people), 'GET', '/messages', params)
    const ids = (messages as { id: number }[]).map(({ id }) => id)
    if (ids.some((id, i) => id <= (ids[i - 1] ?? 0))) throw new Error(`a page of messages is out of order: ${ids}`)
  }

  async #send(sender: Account, channel: SoakChannel, length: number): Promise<number> {
    const name = this.#name('m')
    const expected = this.#toMembers(keys.message(name), channel)
    const content = `${marked(name)} ${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length)
    const topic = `topic ${Math.floor(Math.random() * topics)}`
    const params = { type: 'channel', to: channel.id, topic, content }
    const { id } = await this.#do('messages', sender, 'POST', '/messages', params)
    done(expected)
    return id as number
  }

  /** Every other one over a socket, if the account has one that only sends. */
  async #do(what: string, who: Account, method: string, path: string, params: Params = {}) {
    const { senders, api, tally } = this.options
    tally.add(`did: ${what}`)
    const client = this.#number % 2 === 0 ? senders.find(([account]) => account.id === who.id)?.[1] : undefined
    return client ? await client.request(method, path, params) : await api.call(who, method, path, params)
  }

  #expect = (key: string, reach: Expected['reach']): Expected => this.options.ledger.begin(key, reach)
  #toMembers = (key: string, { members }: SoakChannel) =>
    this.#expect(key, (user, expected) => members.reach(user, expected))
  #toOne = (key: string, { id }: Account) => this.#expect(key, user => (user === id ? 'must' : 'no'))

  #memberOf = ({ members }: SoakChannel): Account =>
    pick(this.options.world.people.filter(({ id }) => members.isIn(id)))

  #name(kind: string): string {
    this.#number += 1
    return `${kind}${this.#number}`
  }
}

function done(expected: Expected): void {
  expected.ended = performance.now()
}

export const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One
