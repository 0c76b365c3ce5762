import type { Ctx } from '../../../server/ctx.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { eventDefs } from '../../../shared/events/index.js'
import type { Person } from '../../support/people.js'
import { checkEvent, checkObject } from '../../support/wire-schemas.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events and states of every shape
export type Loose = Record<string, any>

let named = 0

/** A name that no other channel of the test's organization has. */
export const freshName = (what = 'channel'): string => `${what} ${++named}`

const fetchTypes = [
  'stream',
  'subscription',
  'default_streams',
  'default_stream_groups',
  'channel_folders',
  'realm_user',
]

const capabilities = { archived_channels: true, notification_settings_null: true }

/** What one person's client is told from now on. */
export class Listener {
  private lastEventId = -1

  private constructor(
    private readonly ctx: Ctx,
    readonly person: Person,
    readonly state: Loose,
    private readonly params: Loose,
  ) {}

  static async start(ctx: Ctx, person: Person, params: Loose = {}): Promise<Listener> {
    const asked = {
      fetch_event_types: fetchTypes,
      event_types: ['stream', 'subscription', 'default_streams', 'realm_user'],
      include_subscribers: 'true',
      client_capabilities: capabilities,
      ...params,
    }
    return new Listener(ctx, person, await person.ok('POST', '/register', asked), asked)
  }

  /** All that it was told until now: an event of our own comes after everything that happened before. */
  async events(): Promise<Loose[]> {
    const marker = [0, ++named]
    await this.ctx.write(async (_tx, emit) => emit(defaultStreams, { default_streams: marker }, [this.person.id]))
    const found: Loose[] = []
    for (;;) {
      const params = { queue_id: this.state.queue_id, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        if (event.type === 'default_streams' && String(event.default_streams) === String(marker)) return found
        if (event.type !== 'heartbeat') found.push(event)
      }
    }
  }

  /** State before plus events is state after; the events follow the wire facts and changed something. */
  async inStep(t: Asserts): Promise<Loose[]> {
    const events = await this.events()
    const before = JSON.stringify(parts(this.state))
    for (const event of events) {
      t.same(checkEvent(event), [], `${event.type} follows the wire facts`)
      const def = eventDefs.get(`${event.type}/${event.op}`) ?? eventDefs.get(event.type)
      def?.apply?.(this.state, structuredClone(event))
    }
    const now = await this.person.ok('POST', '/register', this.params)
    t.same(parts(this.state), parts(now), 'the events brought the state up to date')
    if (events.length > 0) t.not(JSON.stringify(parts(this.state)), before, 'the events changed the state')
    const problems = [
      ...now.streams.flatMap((one: Loose) => checkObject('channel', one)),
      ...[...now.subscriptions, ...now.unsubscribed].flatMap((one: Loose) => checkObject('subscription', one)),
      ...now.never_subscribed.flatMap((one: Loose) => checkObject('never_subscribed', one)),
    ]
    t.same(problems, [], 'the state follows the wire facts')
    return events
  }
}

/** What of tap's `t` the comparison needs. */
interface Asserts {
  same(found: unknown, wanted: unknown, message: string): unknown
  not(found: unknown, wanted: unknown, message: string): unknown
}

function parts(state: Loose): Loose {
  const sorted = (list: Loose[]) => list?.slice().sort((a, b) => a.stream_id - b.stream_id)
  return {
    streams: sorted(state.streams),
    subscriptions: sorted(state.subscriptions),
    unsubscribed: sorted(state.unsubscribed),
    never_subscribed: sorted(state.never_subscribed),
    realm_default_streams: state.realm_default_streams,
  }
}

/** `type/op` of each. */
export const kinds = (events: readonly Loose[]): string[] =>
  events.map(event => (event.op === undefined ? event.type : `${event.type}/${event.op}`))
