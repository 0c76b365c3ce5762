import type { Ctx } from '../../server/ctx.js'
import { capabilityNames } from '../../shared/capabilities.js'
import { channelLists } from '../../shared/events/channel-lists.js'
import { defaultStreams } from '../../shared/events/default-streams.js'
import { eventDefs } from '../../shared/events/index.js'
import { recordEvent } from './coverage.js'
import type { Person } from './people.js'
import { checkEvent, checkRegister } from './wire-schemas.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events and states of every shape
export type Loose = Record<string, any>

/** The used part of tap's `t`. */
export interface Asserts {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/** All capabilities of a modern client. */
export const allCapabilities: Readonly<Record<string, boolean>> = Object.fromEntries(
  capabilityNames.map(name => [name, true]),
)

let marked = 0

/** A user's client from now on; by default with all events and all capabilities. */
export class Listener {
  private lastEventId = -1

  protected constructor(
    private readonly workers: readonly Ctx[],
    readonly person: Person,
    /** The register answer; `inStep` updates it with the events. */
    readonly state: Loose,
    private readonly params: Loose,
  ) {}

  /**
   * Registers with these parameters of /register. `default_streams` has to be among the event types. If several workers
   * publish the events, pass all of them: each publishes in its own order.
   */
  static async start(ctx: Ctx | readonly Ctx[], person: Person, params: Loose = {}): Promise<Listener> {
    const asked = {
      include_subscribers: 'true',
      client_capabilities: allCapabilities,
      client_gravatar: false,
      ...params,
    }
    const workers = 'write' in ctx ? [ctx] : ctx
    return new Listener(workers, person, await person.ok('POST', '/register', asked), asked)
  }

  /**
   * All events since the last call, each validated with the reference schemas; the last ones are markers of this class,
   * which are left out.
   */
  async events(t?: Asserts): Promise<Loose[]> {
    const awaited = new Set(this.workers.map(() => String([0, ++marked])))
    const markers = [...awaited].map(marker => marker.split(',').map(Number))
    await Promise.all(this.workers.map((ctx, i) => this.mark(ctx, markers[i] as number[])))
    const found: Loose[] = []
    for (;;) {
      const params = { queue_id: this.state.queue_id, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        if (event.type === 'default_streams') awaited.delete(String(event.default_streams))
        if (event.type === 'heartbeat' || isMarker(event)) continue
        t?.same(checkEvent(event), [], `${event.type} follows the reference schemas`)
        found.push(event)
      }
      if (awaited.size === 0) return found
    }
  }

  private mark(ctx: Ctx, default_streams: number[]): Promise<void> {
    return ctx.write(async (_tx, emit) => emit(defaultStreams, { default_streams }, [this.person.id]))
  }

  /** The replay law: the earlier state plus events equals the state of a new register answer. Returns the events. */
  async inStep(t: Asserts): Promise<Loose[]> {
    const events = await this.events(t)
    for (const event of events) {
      const def = eventDefs.get(`${event.type}/${event.op}`) ?? eventDefs.get(event.type)
      def?.apply?.(this.state, structuredClone(event))
      if (def?.apply) recordEvent(def.name, 'replayed')
    }
    const now = await this.person.ok('POST', '/register', this.params)
    const { fetch_event_types, event_types } = this.params
    learnFirstMessages(this.state, now, event_types?.includes('stream') ?? true)
    t.same(lasting(this.state), lasting(now), `the events brought ${this.person.full_name}'s state up to date`)
    t.same(checkRegister(now, fetch_event_types ?? event_types ?? null), [], 'the state follows the reference schemas')
    return events
  }
}

// Ignores markers of the user's other listeners.
const isMarker = ({ type, default_streams }: Loose) => type === 'default_streams' && default_streams[0] === 0

// No event reports a channel's first message: a client that does not receive the message does not learn its id, and
// neither does a client without channel events when it is deleted.
function learnFirstMessages(state: Loose, now: Loose, hearsOfChannels: boolean): void {
  for (const name of channelLists) {
    const ids = new Map<number, number | null>(
      (now[name] ?? []).map((one: Loose) => [one.stream_id, one.first_message_id]),
    )
    for (const channel of state[name] ?? []) {
      if (!hearsOfChannels || channel.first_message_id === null) {
        channel.first_message_id = ids.get(channel.stream_id) ?? null
      }
    }
  }
}

// Fields of a queue or of the moment, and fields that no event updates: presence is polled, permissions to create
// follow from roles and groups, a deletion does not lower a client's newest id, and the server's own bots are created
// without an event.
const passing =
  /^(queue_id|last_event_id|server_timestamp|presences|presence_last_update_id|max_message_id|can_\w+|server_generation|cross_realm_bots)$/

const sets =
  /^(realm_users|realm_non_active_users|realm_bots|subscriptions|unsubscribed|never_subscribed|streams|realm_user_groups|user_topics)$/
const idSets = /^(members|direct_subgroup_ids|direct_members|direct_subgroups|subscribers|partial_subscribers)$/

/** The state without passing fields, with a fixed order for unordered lists. */
function lasting(state: Loose): Loose {
  const kept = Object.entries(state).filter(([name]) => !passing.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, ordered(name, value)]))
}

function ordered(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (idSets.test(name)) return [...value].sort((a, b) => a - b)
    const items = value.map(one => ordered('', one))
    return sets.test(name) ? items.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, one]) => [key, ordered(key, one)]))
}

const orderOf = (one: unknown): string => {
  const { id, user_id, stream_id, topic_name } = one as Loose
  return `${String(id ?? user_id ?? stream_id).padStart(12, '0')} ${topic_name ?? ''}`
}

/** `type/op` of each. */
export const kinds = (events: readonly Loose[]): string[] =>
  events.map(event => (event.op === undefined ? event.type : `${event.type}/${event.op}`))
