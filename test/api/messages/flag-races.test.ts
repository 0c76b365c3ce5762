import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { overtaken } from '../../support/races.js'
import { startServer, testOrganization } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, say } from './scene.js'

const organization = await testOrganization(t)
const server = await startServer(t, {}, organization)
const other = await startServer(t, {}, organization)
const { sql } = server
const workers = [server.ctx, other.ctx]

type Call = { post: Person['post'] }
const change = (who: Call, messages: readonly number[], op: string, flag: string) =>
  who.post('/messages/flags', { messages, op, flag })
const flagsOf = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.flags
const rowsOf = (who: Person) => sql`select message_id, flags from message_flags where user_id = ${who.id}`
/** Asks PostgreSQL: a request could get a connection that is about to end. */
const stored = async (who: Person, id: number) =>
  (
    await sql`
      select exists (select from read_state where user_id = ${who.id} and ranges @> ${id}::bigint) as "isRead",
        (select flags from message_flags where user_id = ${who.id} and message_id = ${id}) as flags`
  )[0]
const gone = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }

/** A reader of a channel with some unread messages. */
async function scene(count = 1) {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader], { invite_only: true })
  const ids = await each(Array.from({ length: count }), () => say(author, channel.id))
  ids.sort((a, b) => a - b)
  const ear = await Listener.start(workers, reader)
  return { author, reader, channel, ids, id: ids[0] as number, ear }
}

t.test('statements of each change', async t => {
  const { reader, channel, ids } = await scene(100)
  const narrow = [{ operator: 'channel', operand: channel.id }]
  const count = async (work: () => Promise<{ status: number }>) => {
    const statements = await statementsOf(server, async () => t.equal((await work()).status, 200))
    return statements.length
  }
  const inNarrow = (params: Loose) => () =>
    reader.post('/messages/flags/narrow', { anchor: 'oldest', num_before: 0, num_after: 100, ...params })
  const warm = await say(reader, channel.id)
  await change(reader, [warm], 'remove', 'read')
  await change(reader, [warm], 'add', 'read')
  t.equal(await count(() => change(reader, ids.slice(0, 1), 'add', 'read')), 1, 'one message')
  t.equal(await count(() => change(reader, ids.slice(0, 2), 'add', 'read')), 3, 'one of two was read')
  t.equal(await count(() => change(reader, ids.slice(0, 2), 'add', 'read')), 2, 'both were read')
  t.equal(await count(inNarrow({ narrow, op: 'add', flag: 'read' })), 4, 'a narrow with messages that were read')
  t.equal(await count(() => change(reader, ids, 'remove', 'read')), 3, 'as unread')
  t.equal(await count(inNarrow({ narrow, op: 'add', flag: 'read' })), 2, 'a narrow of unread messages')
  t.equal(await count(() => change(reader, ids, 'remove', 'read')), 3, 'as unread again')
  t.equal(await count(() => reader.post('/mark_stream_as_read', { stream_id: channel.id })), 2, 'a channel')
  t.equal(await count(() => change(reader, ids, 'add', 'starred')), 2, 'star')
  t.equal(await count(() => change(reader, ids.slice(1), 'remove', 'starred')), 1, 'unstar')
  t.equal(await count(() => change(reader, ids, 'remove', 'starred')), 3, 'unstar where some have no star')
  t.equal(await count(() => change(reader, ids, 'add', 'collapsed')), 2, 'collapse')
})

t.test('a message deleted between opening and writing', async t => {
  const { reader, id, ear } = await scene()
  const race = (op: string, flag: string, messageId: number) =>
    overtaken(server, {
      first: tx => tx`select from messages where id = ${messageId} for update`,
      request: () => change(reader, [messageId], op, flag),
      meanwhile: tx => tx`delete from messages where id = ${messageId}`,
    })
  t.match(await race('add', 'starred', id), gone)
  const own = await say(reader, [reader])
  await change(reader, [own], 'add', 'read')
  await ear.events()
  t.match(await race('remove', 'read', own), { status: 200, body: { messages: [own] } })
  t.same(await rowsOf(reader), [])
  t.same(await ear.events(t), [], 'no event without its change')
})

t.test('a star whose message is deleted before it is removed', async t => {
  const { reader, id, ear } = await scene()
  await change(reader, [id], 'add', 'starred')
  await ear.events()
  const answer = await overtaken(server, {
    first: tx => tx`delete from messages where id = ${id}`,
    request: () => change(reader, [id], 'remove', 'starred'),
  })
  t.equal(answer.status, 200)
  t.same(await ear.events(t), [])
})

t.test('a message moved to a channel that the user may not see', async t => {
  const { author, reader, channel, id, ear } = await scene()
  const hidden = await channelOf([author], { invite_only: true })
  const answer = await overtaken(server, {
    first: tx => tx`select from messages where id = ${id} for no key update`,
    request: () => change(reader, [id], 'add', 'starred'),
    meanwhile: tx => tx`update messages set channel_id = ${hidden.id} where id = ${id} and channel_id = ${channel.id}`,
  })
  t.match(answer, gone)
  t.same(await rowsOf(reader), [])
  t.same(await ear.events(t), [])
})

t.test('a message moved to another topic becomes unread there', async t => {
  const { reader, id, ear } = await scene()
  await change(reader, [id], 'add', 'read')
  await ear.events()
  const answer = await overtaken(server, {
    first: tx => tx`select from messages where id = ${id} for no key update`,
    request: () => change(reader, [id], 'remove', 'read'),
    meanwhile: tx => tx`update messages set topic = 'elsewhere' where id = ${id}`,
  })
  t.equal(answer.status, 200)
  t.match(await ear.events(t), [{ op: 'remove', message_details: { [id]: { topic: 'elsewhere' } } }])
})

t.test('a user who is unsubscribed in that moment', async t => {
  const { reader, channel, id, ear } = await scene()
  await change(reader, [id], 'add', 'read')
  await ear.events()
  const leave = (request: () => ReturnType<typeof change>) =>
    overtaken(server, {
      first: tx => tx`
        select from subscriptions where user_id = ${reader.id} and channel_id = ${channel.id} for no key update`,
      request,
      meanwhile: tx => tx`
        update subscriptions set is_active = false where user_id = ${reader.id} and channel_id = ${channel.id}`,
    })
  const unread = await leave(() => change(reader, [id], 'remove', 'read'))
  t.match(unread, { status: 200, body: { ignored_because_not_subscribed_channels: [channel.id] } })
  await sql`update subscriptions set is_active = true where user_id = ${reader.id} and channel_id = ${channel.id}`
  t.same(await flagsOf(reader, id), ['read'])
  t.match(await leave(() => change(reader, [id], 'add', 'starred')), gone)
  t.same(await rowsOf(reader), [])
  t.same(await ear.events(t), [])
})

t.test('an account deactivated in that moment', async t => {
  const { reader, id } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from messages where id = ${id} for update`,
    request: () => change(reader, [id], 'add', 'starred'),
    meanwhile: async tx => {
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${reader.id}`
      await tx`update messages set topic = 'moved' where id = ${id}`
    },
  })
  t.equal(answer.status, 401)
  t.same(await rowsOf(reader), [])
})

t.test('an own message that was marked as unread is read again, with others', async t => {
  const { reader, channel, id, ear } = await scene()
  const own = await say(reader, channel.id)
  await change(reader, [own], 'remove', 'read')
  await ear.events()
  t.equal((await change(reader, [id, own], 'add', 'read')).status, 200)
  t.same(await flagsOf(reader, own), ['read'])
  t.match(await ear.events(t), [{ op: 'add', flag: 'read', messages: [id, own] }])
})

t.test('the same message marked as read at two workers', async t => {
  const { reader, ids, ear } = await scene(2)
  const everywhere = (id: number) =>
    Promise.all([reader, other.api(reader)].map(async who => (await change(who, [id], 'add', 'read')).status))
  // The first row of the read state, and a further message.
  for (const id of ids) {
    const answers = await overtaken(server, {
      first: tx => tx`
        insert into read_state (user_id, block, ranges) values (${reader.id}, ${id >> 16}, '{[1,2)}')
        on conflict (user_id, block) do update set ranges = read_state.ranges`,
      request: () => everywhere(id),
    })
    t.same(answers, [200, 200])
    t.same(await flagsOf(reader, id), ['read'])
    const events = await ear.inStep(t)
    t.ok(events.length > 0)
    for (const event of events) t.match(event, { op: 'add', messages: [id] })
  }
})

t.test('read and unread at two workers: the events end in the state of the table', async t => {
  const { author, reader, ids, ear } = await scene(4)
  ids.push(
    (await reader.ok('POST', '/messages', { type: 'direct', to: [author.id], content: 'x', read_by_sender: true })).id,
  )
  const elsewhere = other.api(reader)
  for (let round = 0; round < 8; round++) {
    const some = ids.filter((_, i) => (round >> (i % 3)) % 2 === 0)
    const answers = await Promise.all([
      change(reader, some, 'add', 'read'),
      change(elsewhere, ids, 'remove', 'read'),
      change(elsewhere, ids.slice(round % 3), 'add', 'read'),
      change(reader, some.slice(1), 'remove', 'read'),
    ])
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    await ear.inStep(t)
  }
})

t.test('stars set and removed at two workers', async t => {
  const { reader, ids, ear } = await scene(3)
  const elsewhere = other.api(reader)
  for (let round = 0; round < 6; round++) {
    await Promise.all([
      change(reader, ids, 'add', 'starred'),
      change(elsewhere, ids.slice(round % 2), 'remove', 'starred'),
      change(elsewhere, ids, 'add', 'starred'),
    ])
    await ear.inStep(t)
  }
})

t.test('a connection that ends at any step', async t => {
  const { reader, id, ear } = await scene()
  const ended = (lock: string, op: string, flag: string) =>
    overtaken(server, {
      first: tx => tx.unsafe(lock),
      request: () => change(reader, [id], op, flag),
      meanwhile: async () => {
        // Not a worker that removes published rows, which may wait before the request does.
        const ended = () => sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query not like '%delete from outbox%'`
        while ((await ended()).length === 0) await new Promise(resolve => setTimeout(resolve, 5))
      },
    })
  // Where each statement takes its first lock; the opening statement reads `conversations`, and no write does.
  const steps: [lock: string, op: string, flag: string][] = [
    ['lock table read_state in share mode', 'add', 'read'],
    ['lock table outbox in share mode', 'add', 'read'],
    ['lock table conversations in access exclusive mode', 'add', 'starred'],
    ['lock table message_flags in share mode', 'add', 'starred'],
    ['lock table outbox in share mode', 'add', 'starred'],
  ]
  for (const [lock, op, flag] of steps) {
    t.equal((await ended(lock, op, flag)).status, 503, `${lock}: ${op} ${flag}`)
    t.same(await stored(reader, id), { isRead: false, flags: null }, 'nothing has changed')
    t.same(await ear.events(t), [], 'no event without its change')
  }
  for (const flag of ['read', 'starred']) t.equal((await change(reader, [id], 'add', flag)).status, 200)
  t.match(await ear.inStep(t), [{ flag: 'read' }, { flag: 'starred' }])
  t.equal((await ended('lock table outbox in share mode', 'remove', 'starred')).status, 503)
  t.equal((await ended('lock table outbox in share mode', 'remove', 'read')).status, 503)
  t.same(await stored(reader, id), { isRead: true, flags: 1 })
  t.same(await ear.inStep(t), [])
})
