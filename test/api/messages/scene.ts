import type { Ctx } from '../../../server/ctx.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { eventDefs } from '../../../shared/events/index.js'
import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'
import { checkEvent } from '../../support/wire-schemas.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events and states of every shape
export type Loose = Record<string, any>

let made = 0

/** A channel of these people, the first of them its creator. */
export async function channelOf(people: readonly Person[], params: Loose = {}): Promise<{ id: number; name: string }> {
  const name = `channel ${++made}`
  await people[0]?.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(person => person.id),
    send_new_subscription_messages: false,
    ...params,
  })
  const { stream_id } = await (people[0] as Person).ok('GET', '/get_stream_id', { stream: name })
  return { id: stream_id, name }
}

/** Sends to a channel, or to people; the id of the message. */
export async function say(
  who: Person,
  to: number | readonly Person[],
  content = 'hello',
  topic = 'talk',
): Promise<number> {
  const where =
    typeof to === 'number' ? { type: 'channel', to, topic } : { type: 'direct', to: to.map(person => person.id) }
  return (await who.ok('POST', '/messages', { ...where, content })).id
}

type Tuple<T, N extends number, R extends T[] = []> = R['length'] extends N ? R : Tuple<T, N, [...R, T]>

/** Several people of one server; ids ascend. */
export async function people<const N extends number>(server: TestServer, count: N): Promise<Tuple<Person, N>> {
  const list: Person[] = []
  while (list.length < count) list.push(await server.person())
  return list as Tuple<Person, N>
}

/** Does something for each of a few at once; the results keep their places. */
export const each = <const List extends readonly unknown[], Result>(
  list: List,
  work: (one: List[number]) => Promise<Result>,
): Promise<{ -readonly [Place in keyof List]: Result }> =>
  Promise.all(list.map(work)) as Promise<{ -readonly [Place in keyof List]: Result }>

/** Changes settings of the organization, as an administrator's request would. */
export async function setRealm(server: TestServer, settings: Loose): Promise<void> {
  await server.sql`
    update organization set settings = settings || ${server.sql.json(settings)}, version = version + 1`
}

/** Changes a channel's row, as a request to change it would. */
export async function setChannel(server: TestServer, id: number, change: Loose): Promise<void> {
  await server.sql.begin(async tx => {
    const [row] = await tx<{ version: number }[]>`update organization set version = version + 1 returning version`
    await tx`update channels set ${tx({ ...change, version: row?.version ?? 0 } as never)} where id = ${id}`
  })
}

export const group = async (server: TestServer, name: string): Promise<number> =>
  (await server.sql<{ id: number }[]>`select id from user_groups where name = ${name}`)[0]?.id ?? 0

const capabilities = {
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  empty_topic_name: true,
  archived_channels: true,
}

const types = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'update_message_flags',
  'typing',
  'typing_edit_message',
]

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
      fetch_event_types: [...types, 'recent_private_conversations', 'starred_messages', 'realm_user', 'subscription'],
      event_types: [...types, 'default_streams'],
      client_capabilities: capabilities,
      ...params,
    }
    return new Listener(ctx, person, await person.ok('POST', '/register', asked), asked)
  }

  /** All that it was told until now, each as the wire facts want it: an event of our own comes after what was before. */
  async events(t: Asserts): Promise<Loose[]> {
    const marker = [0, ++made]
    await this.ctx.write(async (_tx, emit) => emit(defaultStreams, { default_streams: marker }, [this.person.id]))
    const found: Loose[] = []
    for (;;) {
      const params = { queue_id: this.state.queue_id, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        if (event.type === 'default_streams' && String(event.default_streams) === String(marker)) return found
        // Markers of the person's other listeners are none of ours.
        if (event.type === 'heartbeat' || event.type === 'default_streams') continue
        t.same(checkEvent(event), [], `${event.type} follows the wire facts`)
        found.push(event)
      }
    }
  }

  /** State before plus events is state after. */
  async inStep(t: Asserts): Promise<Loose[]> {
    const events = await this.events(t)
    for (const event of events) {
      const def = eventDefs.get(`${event.type}/${event.op}`) ?? eventDefs.get(event.type)
      def?.apply?.(this.state, structuredClone(event))
    }
    const now = await this.person.ok('POST', '/register', this.params)
    t.same(parts(this.state), parts(now), 'the events brought the state up to date')
    return events
  }
}

/** What of tap's `t` is needed. */
interface Asserts {
  same(found: unknown, wanted: unknown, message: string): unknown
}

// max_message_id is left out: what is deleted does not lower a client's.
const parts = ({ unread_msgs, starred_messages, recent_private_conversations }: Loose): Loose => ({
  unread_msgs,
  starred_messages,
  recent_private_conversations,
})

/** `type/op` of each. */
export const kinds = (events: readonly Loose[]): string[] =>
  events.map(event => (event.op === undefined ? event.type : `${event.type}/${event.op}`))

/** What a refusal looks like. */
export const refused = (code = 'BAD_REQUEST', fields: Loose = {}): Loose => ({
  status: 400,
  body: { result: 'error', code, ...fields },
})
