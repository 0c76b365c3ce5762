import { isDeepStrictEqual } from 'node:util'
import { notificationBot, welcomeBot } from '../../server/actions/messages/system-bots.js'
import type { WorkerCtx } from '../../server/ctx.js'
import { capabilityNames } from '../../shared/capabilities.js'
import { channelLists, channelsIn } from '../../shared/events/channel-records.js'
import type { ClientState } from '../../shared/events/client-state.js'
import { defaultStreams } from '../../shared/events/default-streams.js'
import { clientState } from '../../shared/events/from-register.js'
import { eventDefs } from '../../shared/events/index.js'
import { unreadCount } from '../../shared/events/unread.js'
import { checkEventSchema } from './conformance.js'
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
  private readonly queueId: string
  /** The first register answer with the events applied. */
  private readonly client: ClientState

  protected constructor(
    private readonly workers: readonly WorkerCtx[],
    readonly person: Person,
    /** The newest register answer: the first one, or that of the last `inStep`. */
    public state: Loose,
    private readonly params: Loose,
  ) {
    this.queueId = state.queue_id
    this.client = clientState(structuredClone(state))
  }

  /**
   * Registers with these parameters of /register. `default_streams` has to be among the event types. If several workers
   * publish the events, pass all of them: each publishes in its own order. The bots whose notices follow many changes
   * exist before, so that no event reports their creation.
   */
  static async start(ctx: WorkerCtx | readonly WorkerCtx[], person: Person, params: Loose = {}): Promise<Listener> {
    const asked = {
      include_subscribers: 'true',
      client_capabilities: allCapabilities,
      client_gravatar: false,
      ...params,
    }
    const workers = 'write' in ctx ? [ctx] : ctx
    for (const worker of workers.slice(0, 1)) await Promise.all([notificationBot(worker), welcomeBot(worker)])
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
      const params = { queue_id: this.queueId, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        if (event.type === 'default_streams') awaited.delete(String(event.default_streams))
        if (event.type === 'heartbeat' || isMarker(event)) continue
        t?.same(checkEvent(event), [], `${event.type} follows the reference schemas`)
        t?.same(checkEventSchema(event), [], `${event.type} follows the schema of its definition`)
        found.push(event)
      }
      if (awaited.size === 0) return found
    }
  }

  private mark(ctx: WorkerCtx, default_streams: number[]): Promise<void> {
    return ctx.write(async (_tx, emit) => emit(defaultStreams, { default_streams }, [this.person.id]))
  }

  /** The replay law: the state of the first answer plus events equals that of a new register answer. Returns the events. */
  async inStep(t: Asserts): Promise<Loose[]> {
    const events = await this.events(t)
    for (const event of events) {
      const def = eventDefs.get(`${event.type}/${event.op}`) ?? eventDefs.get(event.type)
      def?.apply?.(this.client, structuredClone(event))
      if (def?.apply) recordEvent(def.name, 'replayed')
    }
    const now = await this.person.ok('POST', '/register', this.params)
    const { fetch_event_types, event_types } = this.params
    const fresh = clientState(structuredClone(now))
    learnFirstMessages(this.client, fresh, event_types?.includes('stream') ?? true)
    const what = `the events brought ${this.person.full_name}'s state up to date`
    const [found, wanted] = [lasting(this.client), lasting(fresh)]
    // tap writes out both states before it compares them, which takes longer than the request.
    const isSame = isDeepStrictEqual(found, wanted)
    t.same(isSame || found, isSame || wanted, what)
    // Without both lists the client cannot know what is muted; the server's count used both.
    if (now.unread_msgs && now.subscriptions && now.user_topics) {
      t.same(unreadCount(this.client), now.unread_msgs.count, `${what}: the number of unread messages`)
    }
    this.state = now
    t.same(checkRegister(now, fetch_event_types ?? event_types ?? null), [], 'the state follows the reference schemas')
    return events
  }
}

// Ignores markers of the user's other listeners.
const isMarker = ({ type, default_streams }: Loose) => type === 'default_streams' && default_streams[0] === 0

// No event reports a channel's first message: a client that does not receive the message does not learn its id, and
// neither does a client without channel events when it is deleted.
function learnFirstMessages(state: ClientState, now: ClientState, hearsOfChannels: boolean): void {
  for (const name of channelLists) {
    for (const channel of Object.values(channelsIn(state, name) ?? {})) {
      if (!hearsOfChannels || channel.first_message_id === null) {
        channel.first_message_id = channelsIn(now, name)?.[channel.stream_id]?.first_message_id ?? null
      }
    }
  }
}

// Fields of a queue or of the moment, and fields that no event updates: presence is polled, permissions to create
// follow from roles and groups, and a deletion does not lower a client's newest id.
const passing =
  /^(queue_id|last_event_id|server_timestamp|presences|presence_last_update_id|max_message_id|can_\w+|server_generation)$/

const idSets = /^(members|direct_subgroup_ids|direct_members|direct_subgroups|subscribers|partial_subscribers)$/

/** The state without passing fields, with a fixed order for unordered lists. */
function lasting(state: ClientState): Loose {
  const kept = Object.entries(state).filter(([name]) => !passing.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, ordered(name, value)]))
}

function ordered(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return idSets.test(name) ? [...value].sort((a, b) => a - b) : value.map(one => ordered('', one))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ordered(key, one)]))
}

/** `type/op` of each. */
export const kinds = (events: readonly Loose[]): string[] =>
  events.map(event => (event.op === undefined ? event.type : `${event.type}/${event.op}`))
