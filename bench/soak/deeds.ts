import type { Account } from '../lib/load-protocol.js'
import { Doing, type DoingOptions } from './doing.js'
import { keys, marked } from './event-key.js'
import type { Reach } from './ledger.js'
import { RecentMessages } from './recent-messages.js'
import type { SoakChannel, World } from './world.js'

export interface DeedsOptions extends DoingOptions {
  readonly world: World
}

// Filler in the style of chat messages.
const filler = 'the quick brown fox jumps over the lazy dog and says that all of this has been said before '
const topics = 20

/** The actions of users; each records the expected events in the ledger. */
export class Deeds {
  readonly #recent = new RecentMessages()
  readonly #doing: Doing
  readonly #world: World

  constructor({ world, ...options }: DeedsOptions) {
    this.#world = world
    this.#doing = new Doing(options)
  }

  /** Sends a message to a channel with constant subscribers. */
  async message(): Promise<void> {
    const world = this.#world
    const channel = pick(world.steady)
    const sender = pick(world.people.filter(({ id }) => channel.members.isIn(id)))
    const id = await this.#send(sender, channel, 100 + Math.random() * 900)
    this.#recent.add({ id, channel, sender })
  }

  async messageToChanging(): Promise<void> {
    await this.#send(this.#world.owner, this.#world.changing, 300)
  }

  /** Sends a message of nearly the largest size. */
  async floodMessage(): Promise<void> {
    await this.#send(this.#world.owner, this.#world.flood, 9900)
  }

  async direct(): Promise<void> {
    const [from, to] = [pick(this.#world.people), pick(this.#world.people)]
    const name = this.#doing.name('d')
    const both = [from.id, to.id]
    const expected = this.#doing.expect(keys.message(name), user => (both.includes(user) ? 'must' : 'no'))
    const content = `${marked(name)} between us`
    await this.#doing.ask('direct messages', from, 'POST', '/messages', { type: 'direct', to: both, content })
    this.#doing.done(expected)
  }

  async edit(): Promise<void> {
    await this.#recent.use(async ({ id, channel, sender }) => {
      const name = this.#doing.name('e')
      const expected = this.#doing.toMembers(keys.edit(name), channel)
      await this.#doing.ask('edits', sender, 'PATCH', `/messages/${id}`, { content: `${marked(name)} better so` })
      this.#doing.done(expected)
    })
  }

  /** Adds a reaction and removes it. */
  async react(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      const who = this.#memberOf(channel)
      for (const [op, method] of [
        ['add', 'POST'],
        ['remove', 'DELETE'],
      ] as const) {
        const expected = this.#doing.toMembers(keys.reaction(id, who.id, op), channel)
        await this.#doing.ask('reactions', who, method, `/messages/${id}/reactions`, { emoji_name: 'tada' })
        this.#doing.done(expected)
      }
    })
  }

  async star(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      const who = this.#memberOf(channel)
      for (const op of ['add', 'remove'] as const) {
        const expected = this.#doing.toOne(keys.star(who.id, op, String(id)), who)
        await this.#doing.ask('flags', who, 'POST', '/messages/flags', { messages: [id], op, flag: 'starred' })
        this.#doing.done(expected)
      }
    })
  }

  async read(): Promise<void> {
    await this.#recent.use(async ({ id, channel }) => {
      await this.#doing.ask('flags', this.#memberOf(channel), 'POST', '/messages/flags', {
        messages: [id],
        op: 'add',
        flag: 'read',
      })
    })
  }

  async remove(): Promise<void> {
    const message = this.#recent.take()
    if (!message) return
    const expected = this.#doing.toMembers(keys.deletion(String(message.id)), message.channel)
    await this.#doing.ask('deletions', this.#world.owner, 'DELETE', `/messages/${message.id}`)
    this.#doing.done(expected)
  }

  /** Typing events are ephemeral: they must not be repeated or leaked, but they may be lost. */
  async type(): Promise<void> {
    const channel = pick(this.#world.steady)
    const topic = this.#doing.name('typing')
    for (const op of ['start', 'stop']) {
      const reach = (user: number): Reach => (channel.members.isIn(user) ? 'may' : 'no')
      const expected = this.#doing.expect(keys.typing(topic, op), reach)
      const params = { type: 'channel', op, stream_id: channel.id, topic }
      await this.#doing.ask('typing', this.#memberOf(channel), 'POST', '/typing', params)
      this.#doing.done(expected)
    }
  }

  async comeOrGo(): Promise<void> {
    const { owner, people, changing } = this.#world
    const who = pick(people)
    if (this.#moving.has(who.id)) return
    this.#moving.add(who.id)
    const isIn = !changing.members.isIn(who.id)
    const expected = this.#doing.toOne(keys.subscription(who.id, isIn ? 'add' : 'remove', changing.id), who)
    const changed = changing.members.change(who.id, isIn)
    const subscriptions = isIn ? [{ name: changing.name }] : [changing.name]
    const params = { subscriptions, principals: [who.id] }
    await this.#doing.ask('subscriptions', owner, isIn ? 'POST' : 'DELETE', '/users/me/subscriptions', params)
    changed()
    this.#doing.done(expected)
    this.#moving.delete(who.id)
  }
  readonly #moving = new Set<number>()

  async report(): Promise<void> {
    const params = { status: 'active', last_update_id: -1, slim_presence: true, new_user_input: true }
    await this.#doing.ask('presence reports', pick(this.#world.people), 'POST', '/users/me/presence', params)
  }

  async page(): Promise<void> {
    const params = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] }
    const { messages } = await this.#doing.ask('pages', pick(this.#world.people), 'GET', '/messages', params)
    const ids = (messages as { id: number }[]).map(({ id }) => id)
    if (ids.some((id, i) => id <= (ids[i - 1] ?? 0))) throw new Error(`a page of messages is out of order: ${ids}`)
  }

  async #send(sender: Account, channel: SoakChannel, length: number): Promise<number> {
    const name = this.#doing.name('m')
    const expected = this.#doing.toMembers(keys.message(name), channel)
    const content = `${marked(name)} ${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length)
    const topic = `topic ${Math.floor(Math.random() * topics)}`
    const params = { type: 'channel', to: channel.id, topic, content }
    const { id } = await this.#doing.ask('messages', sender, 'POST', '/messages', params)
    this.#doing.done(expected)
    return id as number
  }

  #memberOf = ({ members }: SoakChannel): Account => pick(this.#world.people.filter(({ id }) => members.isIn(id)))
}

export const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One
