import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { knowsChannel, mayReadChannel } from '../../../server/policies/channel-permissions.js'
import { subscribedChannels } from '../../../server/store/channels/subscriptions.js'
import { setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { type AccessCommand, Acting, accessCommands } from './access-commands.js'
import { Listener, type Loose } from './scene.js'

// I2 and its converse for random changes of channels, groups and users: the function that decides who may know of a
// channel (server/policies/channel-permissions.ts) agrees with every list, answer, register field and event.

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
await setOrganization(sql, { enable_spectator_access: true })
const owner = await server.person({ role: 100 })
const roles = [200, 300, 400, 400, 600, 600] as const
const others = await Promise.all(roles.map(role => server.person({ role })))
const bot = await server.person({ bot_type: 1, bot_owner_id: (others[2] as Person).id })
const people = [owner, ...others, bot]
const actor = await Acting.begin(server, owner, people)

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)
const ids = (list: Loose[]): number[] => list.map(one => one.stream_id)

/** The results of the access functions for every channel. */
async function truth(person: Person) {
  await ctx.directory.fresh()
  const { directory } = ctx
  const user = directory.users.get(person.id) ?? null
  const subscribed = new Set(await subscribedChannels(sql, person.id))
  const all = [...directory.channels.values()]
  const known = all.filter(one => knowsChannel(directory, user, one, subscribed.has(one.id)))
  const read = all.filter(one => mayReadChannel(directory, user, one, subscribed.has(one.id)))
  return { known: ascending(known.map(one => one.id)), read: ascending(read.map(one => one.id)), subscribed }
}

/** Channels that an event contains. */
function mentioned(event: Loose): number[] {
  const lists = [event.streams, event.subscriptions].flatMap(list => ids(list ?? []))
  const single = [event.stream_id, event.message?.stream_id, event.new_stream_id]
  return [...lists, ...(event.stream_ids ?? []), ...single].filter(id => id !== undefined)
}

/** Every event is about a channel that its receiver may know of by then; a newly visible one begins with its creation. */
function checkEvents(t: Tap, who: Person, events: Loose[], { first, ever, last }: Known): void {
  const known = new Set(first)
  for (const event of events) {
    const creates = event.type === 'stream' && event.op === 'create'
    const secret = mentioned(event).filter(id => !(creates ? ever : known).has(id))
    t.same(secret, [], `${who.full_name}: ${event.type}/${event.op} names only what may be known`)
    if (creates) for (const id of mentioned(event)) known.add(id)
    if (event.type === 'stream' && event.op === 'delete') for (const id of event.stream_ids) known.delete(id)
  }
  t.same(ascending(known), ascending(last), `${who.full_name}: what the events left is what is known`)
}

/** The channels that a user knew of at the start, at any time, and at the end. */
interface Known {
  readonly first: ReadonlySet<number>
  readonly ever: Set<number>
  last: ReadonlySet<number>
}

type Tap = { same(found: unknown, wanted: unknown, message: string): unknown }

async function checkLists(t: Tap, person: Person, flags: Loose): Promise<void> {
  const { known, read, subscribed } = await truth(person)
  const { directory } = ctx
  const name = person.full_name
  const list = async (params: Loose) => ids((await person.ok('GET', '/streams', params)).streams)
  t.same(ascending(await list({ include_all: true, exclude_archived: false })), known, `${name}: GET /streams, all`)
  const readable = { include_can_access_content: true, include_public: false, include_subscribed: false }
  t.same(ascending(await list({ ...readable, exclude_archived: false })), read, `${name}: GET /streams, content`)
  const some = await list(flags)
  t.same(
    some.filter(id => !known.includes(id)),
    [],
    `${name}: GET /streams, some`,
  )
  const isActive = (id: number) => directory.channels.get(id)?.is_archived === false
  const own = ids((await person.ok('GET', '/users/me/subscriptions')).subscriptions)
  t.same(own, ascending(subscribed).filter(isActive), `${name}: GET /users/me/subscriptions`)
  for (const other of [owner, person, bot]) {
    const theirs = (await person.ok('GET', `/users/${other.id}/channels`)).subscribed_channel_ids
    const hidden = theirs.filter((id: number) => !known.includes(id))
    t.same(hidden, [], `${name}: the channels of ${other.full_name}`)
  }
  const single = actor.channelIds.flatMap(id => directory.channels.get(id) ?? [])
  const answers = await Promise.all(
    single.map(async one => ({
      metadata: [
        await person.get(`/streams/${one.id}`),
        await person.get(`/streams/${one.id}/members`),
        await person.get('/get_stream_id', { stream: one.name }),
        await person.get(`/users/${owner.id}/subscriptions/${one.id}`),
      ].map(answer => answer.status),
      content: (await person.get(`/users/me/${one.id}/topics`)).status,
      id: one.id,
    })),
  )
  const ok = (does: boolean) => (does ? 200 : 400)
  for (const { id, metadata, content } of answers) {
    const wanted = [ok(known.includes(id)), ok(read.includes(id))]
    t.same([...new Set(metadata), content], wanted, `${name}: channel ${id} by itself`)
  }
}

async function checkRegister(t: Tap, person: Person): Promise<void> {
  const { known } = await truth(person)
  for (const archived_channels of [true, false]) {
    const state = await person.ok('POST', '/register', {
      client_capabilities: { archived_channels },
      fetch_event_types: ['stream', 'subscription', 'default_streams', 'message', 'update_message_flags'],
    })
    const shown = known.filter(id => archived_channels || ctx.directory.channels.get(id)?.is_archived === false)
    t.same(
      ids(state.streams).sort((a, b) => a - b),
      shown,
      `${person.full_name}: streams`,
    )
    const lists = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
    t.same(
      ids(lists).sort((a, b) => a - b),
      shown,
      `${person.full_name}: the three lists`,
    )
    const unread = ids(state.unread_msgs.streams).filter(id => !known.includes(id))
    t.same(unread, [], `${person.full_name}: unread`)
    const defaults = state.realm_default_streams.filter((id: number) => !known.includes(id))
    t.same(defaults, [], `${person.full_name}: defaults`)
  }
}

async function run(t: Asserting, commands: readonly AccessCommand[], flags: Loose): Promise<void> {
  for (const [i, role] of roles.entries()) await setUser(sql, (others[i] as Person).id, { role })
  await actor.newChannels()
  const ears = await Promise.all(people.map(person => Listener.start(ctx, person, everything)))
  const knowledge = new Map<Person, Known>()
  for (const person of people) {
    const first = new Set((await truth(person)).known)
    knowledge.set(person, { first, ever: new Set(first), last: first })
  }
  for (const command of commands) {
    await actor.act(command)
    for (const [person, known] of knowledge) {
      known.last = new Set((await truth(person)).known)
      for (const id of known.last) known.ever.add(id)
    }
  }
  for (const ear of ears) checkEvents(t, ear.person, await ear.inStep(t), knowledge.get(ear.person) as Known)
  for (const person of people) {
    await checkLists(t, person, flags)
    await checkRegister(t, person)
  }
}

type Asserting = Parameters<Listener['inStep']>[0] & Tap

const everything = {
  fetch_event_types: ['stream', 'subscription', 'default_streams', 'realm_user'],
  event_types: ['stream', 'subscription', 'default_streams', 'realm_user', 'message'],
}

const flagNames = ['public', 'web_public', 'subscribed', 'all', 'all_active', 'can_access_content']
const someFlags = fc
  .tuple(...flagNames.map(() => fc.boolean()), fc.boolean())
  .map(values =>
    Object.fromEntries(
      [...flagNames.map(name => `include_${name}`), 'exclude_archived'].map((name, i) => [name, values[i]]),
    ),
  )

/** The first differences of two values, shortened. */
function differences(found: unknown, wanted: unknown, path = ''): string {
  if (isDeepStrictEqual(found, wanted)) return ''
  if (typeof found === 'object' && typeof wanted === 'object' && found && wanted) {
    const keys = new Set([...Object.keys(found), ...Object.keys(wanted)])
    const parts = [...keys].map(key => differences((found as Loose)[key], (wanted as Loose)[key], `${path}.${key}`))
    return parts.filter(Boolean).slice(0, 20).join('\n')
  }
  return `${path}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`
}

// TEST_SEED: the seed and the path of a failure, `seed:path`. TEST_RUNS: how many sequences to try.
const [seed, path] = process.env.TEST_SEED?.split(':', 2) ?? []
const replay = seed === undefined ? {} : { seed: Number(seed), path: path ?? '' }

t.test('every list, answer, register field and event shows what one may know, and all of it', async t => {
  // Counted as one assertion per run; the exception contains the details.
  const quiet: Asserting = {
    same(found, wanted, message) {
      if (!isDeepStrictEqual(found, wanted)) throw new Error(`${message}:\n${differences(found, wanted)}`)
    },
  }
  const commands = fc.array(accessCommands, { minLength: 5, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(commands, someFlags, (list, flags) => run(quiet, list, flags)),
    { numRuns: Number(process.env.TEST_RUNS ?? 2), endOnFailure: true, ...replay },
  )
  t.pass()
})
