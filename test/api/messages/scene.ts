import type { WorkerCtx } from '../../../server/ctx.js'
import { type Loose, Listener as StateListener } from '../../support/in-step.js'
import { groupId, setChannel as setChannelRow, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

export { kinds, type Loose } from '../../support/in-step.js'

let made = 0

/** A channel with these subscribers; the first one creates it. */
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

/** Sends to a channel or to users; returns the message's id. */
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

/** Several users of one server; ids ascending. */
export async function people<const N extends number>(server: TestServer, count: N): Promise<Tuple<Person, N>> {
  const list: Person[] = []
  while (list.length < count) list.push(await server.person())
  return list as Tuple<Person, N>
}

/** Runs `work` for a few items in parallel; results are in the order of the items. */
export const each = <const List extends readonly unknown[], Result>(
  list: List,
  work: (one: List[number]) => Promise<Result>,
): Promise<{ -readonly [Place in keyof List]: Result }> =>
  Promise.all(list.map(work)) as Promise<{ -readonly [Place in keyof List]: Result }>

/** Changes settings of the organization, as an administrator's request would. */
export const setRealm = (server: TestServer, settings: Loose): Promise<void> => setOrganization(server.sql, settings)

/** Changes a channel's row, as a request to change it would. */
export const setChannel = (server: TestServer, id: number, change: Loose): Promise<void> =>
  setChannelRow(server.sql, id, change)

export const group = (server: TestServer, name: string): Promise<number> => groupId(server.sql, name)

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

/** A user's client that receives events about messages from now on. */
export const Listener = {
  start: (ctx: WorkerCtx | readonly WorkerCtx[], person: Person, params: Loose = {}): Promise<StateListener> =>
    StateListener.start(ctx, person, {
      fetch_event_types: [...types, 'recent_private_conversations', 'starred_messages', 'realm_user', 'subscription'],
      event_types: [...types, 'default_streams'],
      client_capabilities: capabilities,
      ...params,
    }),
}

/** The expected form of a refusal. */
export const refused = (code = 'BAD_REQUEST', fields: Loose = {}): Loose => ({
  status: 400,
  body: { result: 'error', code, ...fields },
})
