// A repeated send with the same queue and local id stores no second message.
import t from 'tap'
import { WebSocket } from 'ws'
import { pruneIdempotencyKeys } from '../../../server/store/messages/idempotency-keys.js'
import { connect } from '../../../shared/client/index.js'
import type { Person } from '../../support/people.js'
import { queriesOf, statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, refused, setChannel } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
/** A second worker of the same organization. */
const second = await startServer(t, {}, server.organization)

let made = 0
const local = (queue_id: string) => ({ queue_id, local_id: `local.${++made}` })
const toSelf = (who: Person, change: Loose = {}) => ({ type: 'direct', to: [who.id], content: 'hello', ...change })
const send = (who: Person, params: Loose) => who.post('/messages', params)
const idOf = async (who: Person, params: Loose): Promise<number> => (await who.ok('POST', '/messages', params)).id

async function contentsOf(who: Person): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`select content from messages where sender_id = ${who.id} order by id`
  return rows.map(row => row.content)
}

t.test('the second answer is the first one, and there is one message with one event', async t => {
  const [sender, reader] = await people(server, 2)
  const { id: channel } = await channelOf([sender, reader])
  const ears = await each([sender, reader], person => Listener.start([ctx, second.ctx], person))
  const params = {
    type: 'channel',
    to: channel,
    topic: 'talk',
    content: 'once @**all**',
    ...local(ears[0].state.queue_id),
  }
  const first = await idOf(sender, params)
  t.equal(await idOf(sender, params), first)
  t.same((await second.api(sender).post('/messages', params)).body, { result: 'success', msg: '', id: first })
  const [own, others] = await each(ears, ear => ear.inStep(t))
  t.match(own, [{ type: 'message', message: { id: first }, local_message_id: params.local_id }])
  t.match(others, [{ type: 'message', message: { id: first } }])
  t.same([own.length, others.length], [1, 1])
  t.same(await contentsOf(sender), ['once @**all**'])
})

t.test('over the socket, and over the socket after REST', async t => {
  const [sender] = await people(server, 1)
  const client = connect({
    url: server.url,
    email: sender.email,
    apiKey: sender.api_key,
    register: {},
    webSocket: WebSocket,
  })
  t.teardown(() => client.close())
  await client.registered
  const params = toSelf(sender, local('of no queue'))
  const first = await idOf(sender, params)
  for (const _ of [1, 2]) t.equal((await client.request('POST', '/messages', params)).id, first)
  const other = { ...params, local_id: 'another' }
  const { id } = await client.request('POST', '/messages', other)
  t.not(id, first)
  t.equal(await idOf(sender, other), id)
  t.same(await contentsOf(sender), ['hello', 'hello'])
})

t.test('identical requests at the same time at two workers: one message', async t => {
  const [sender] = await people(server, 1)
  const apis = [server.api(sender), second.api(sender)]
  for (let round = 0; round < 10; round++) {
    const params = toSelf(sender, { ...local('q'), content: `round ${round}` })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => apis[i % 2]?.ok('POST', '/messages', params)),
    )
    t.equal(new Set(answers.map(answer => answer.id)).size, 1)
  }
  t.same(
    await contentsOf(sender),
    Array.from({ length: 10 }, (_, i) => `round ${i}`),
  )
})

t.test('a repeat that arrives while the first request waits in the database waits for its outcome', async t => {
  const [sender] = await people(server, 1)
  const params = toSelf(sender, { ...local('q'), content: 'slow' })
  await sql.unsafe(`
    create function wait() returns trigger language plpgsql as $$ begin lock table organization in share mode; return new; end $$;
    create trigger slow before insert on messages for each row when (new.content = 'slow') execute function wait()`)
  const answers: Promise<Loose>[] = []
  await sql.begin(async tx => {
    await tx`lock table organization in row exclusive mode`
    for (const api of [server.api(sender), second.api(sender)]) answers.push(api.ok('POST', '/messages', params))
    // The first has stored its key and waits for the table, the second waits for the first.
    for (let waits = ''; waits !== 'relation transactionid'; ) {
      const rows = await sql<{ wait_event: string }[]>`
        select wait_event from pg_stat_activity
        where wait_event_type = 'Lock' and pid in (select pid from pg_locks where relation = 'idempotency_keys'::regclass)
        order by 1`
      waits = rows.map(row => row.wait_event).join(' ')
    }
  })
  const [one, two] = await Promise.all(answers)
  await sql.unsafe('drop trigger slow on messages; drop function wait()')
  t.equal(one?.id, two?.id)
  t.same(await contentsOf(sender), ['slow'])
})

t.test('different messages and repeats that arrive together', async t => {
  const [sender, other] = await people(server, 2)
  const { id: channel } = await channelOf([sender, other])
  const same = local('q')
  const params = (n: number): Loose => ({ type: 'channel', to: channel, topic: `t${n % 3}`, content: `text ${n}` })
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, (_, n) =>
      idOf(sender, { ...params(n), queue_id: 'q', local_id: `together.${n % 10}` }),
    ),
    ...Array.from({ length: 20 }, (_, n) => idOf(other, { ...params(n), ...(n % 2 ? same : {}) })),
  ])
  const [mine, theirs] = [answers.slice(0, 20), answers.slice(20)]
  t.equal(new Set(mine).size, 10)
  for (let n = 0; n < 10; n++) t.equal(mine[n], mine[n + 10], `local id ${n}`)
  t.equal(new Set(theirs).size, 11, 'ten without a local id, and one')
  t.equal((await contentsOf(sender)).length, 10)
  t.equal((await contentsOf(other)).length, 11)
})

t.test('what is a message of its own', async t => {
  const [sender, other] = await people(server, 2)
  const named = local('q')
  const ids = [await idOf(sender, toSelf(sender, named))]
  const own: [what: string, who: Person, change: Loose][] = [
    ['another local id', sender, { ...named, local_id: `${named.local_id}0` }],
    ['another queue', sender, { ...named, queue_id: 'q2' }],
    ['queue and local id that only look alike together', sender, { queue_id: `q${named.local_id}`, local_id: '' }],
    ['another sender', other, named],
    ['a local id without a queue', sender, { local_id: named.local_id }],
    ['the same again', sender, { local_id: named.local_id }],
    ['a queue without a local id', sender, { queue_id: 'q' }],
    ['the same again', sender, { queue_id: 'q' }],
    ['neither', sender, {}],
  ]
  for (const [what, who, change] of own) {
    const id = await idOf(who, toSelf(who, change))
    t.notOk(ids.includes(id), what)
    ids.push(id)
  }
})

t.test('after ten minutes it is a new message, and that one is not repeated', async t => {
  const [sender] = await people(server, 1)
  const params = toSelf(sender, local('q'))
  const first = await idOf(sender, params)
  const age = (minutes: number) =>
    sql`update idempotency_keys set created = created - make_interval(mins => ${minutes}) where message_id >= ${first}`
  await age(9)
  t.equal(await idOf(sender, params), first, 'after nine minutes')
  await age(1)
  const later = await idOf(sender, params)
  t.not(later, first)
  t.equal(await idOf(sender, params), later)
  t.same(await contentsOf(sender), ['hello', 'hello'])
})

t.test('the rest of a repeated request does not count', async t => {
  const [sender, reader] = await people(server, 2)
  const named = local('q')
  const { id: channel } = await channelOf([sender])
  const first = await idOf(sender, toSelf(sender, named))
  const changes: Loose[] = [
    { content: 'other words' },
    { content: '' },
    { to: [reader.id] },
    { to: [999_999] },
    { type: 'channel', to: channel, topic: 'elsewhere' },
    { type: 'channel', to: 'no such channel', topic: 'elsewhere' },
  ]
  for (const change of changes) t.equal(await idOf(sender, toSelf(sender, { ...named, ...change })), first)
  t.same(await contentsOf(sender), ['hello'])
  t.match(await send(sender, { ...named, type: 'direct' }), refused('REQUEST_VARIABLE_MISSING'), 'but it is complete')
})

t.test('a repeated send of a deleted message stores nothing', async t => {
  const [sender] = await people(server, 1)
  const admin = await server.person({ role: 200 })
  const { id: channel } = await channelOf([sender, admin])
  const params = { type: 'channel', to: channel, topic: 'talk', content: 'gone', ...local('q') }
  const first = await idOf(sender, params)
  await admin.ok('DELETE', `/messages/${first}`)
  t.equal(await idOf(sender, params), first)
  t.same(await contentsOf(sender), [])
})

t.test('a sender that may no longer send gets the id of what it sent, and nothing else', async t => {
  const [sender, other] = await people(server, 2)
  const { id: channel } = await channelOf([sender, other], { invite_only: true })
  const params = { type: 'channel', to: channel, topic: 'talk', content: 'before', ...local('q') }
  const first = await idOf(sender, params)
  await setChannel(server, channel, { is_archived: true })
  t.equal(await idOf(sender, params), first)
  t.equal((await send(sender, { ...params, ...local('q') })).status, 400, 'another message')
  t.equal((await send(sender, { ...params, local_id: undefined })).status, 400, 'without a local id')
  t.equal((await send(other, params)).status, 400, 'another sender')
  await sql`update idempotency_keys set created = created - interval '11 minutes'`
  t.equal((await send(sender, params)).status, 400, 'too late')
  t.same(await contentsOf(sender), ['before'])
  t.same(await contentsOf(other), [])
})

t.test('a refused request is not remembered', async t => {
  const [sender] = await people(server, 1)
  const named = local('q')
  t.match(
    await send(sender, { ...named, type: 'channel', to: 'absent', topic: 't', content: 'x' }),
    refused('STREAM_DOES_NOT_EXIST'),
  )
  t.match(await send(sender, toSelf(sender, { ...named, content: ' ' })), refused())
  const id = await idOf(sender, toSelf(sender, named))
  t.equal(await idOf(sender, toSelf(sender, named)), id)
  t.same(await contentsOf(sender), ['hello'])
})

t.test('a message that the database refuses is not remembered', async t => {
  const [sender] = await people(server, 1)
  await sql.unsafe(`
    create function refuse_message() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refused before insert on messages
      for each row when (new.content = 'refused') execute function refuse_message()`)
  const named = local('q')
  t.equal((await send(sender, toSelf(sender, { ...named, content: 'refused' }))).status, 500)
  await sql.unsafe('drop trigger refused on messages; drop function refuse_message()')
  await idOf(sender, toSelf(sender, { ...named, content: 'stored' }))
  t.same(await contentsOf(sender), ['stored'])
})

t.test('a worker that starts with an empty Redis recognizes a repeat', async t => {
  const [sender] = await people(server, 1)
  const params = toSelf(sender, local('q'))
  const first = await idOf(sender, params)
  const third = await startServer(t, { KEY_PREFIX: `${server.organization.schema}x` }, server.organization)
  t.equal((await third.api(sender).ok('POST', '/messages', params)).id, first)
  t.same(await contentsOf(sender), ['hello'])
})

t.test('a send takes one statement with a local id and without; without one it stores no key', async t => {
  const [sender] = await people(server, 1)
  const keys = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from idempotency_keys`)[0]?.count
  const before = await keys()
  const plain = await queriesOf(server, () => idOf(sender, toSelf(sender)))
  const statements = await statementsOf(server, () => idOf(sender, toSelf(sender)))
  const inserts = statements.filter(text => text.includes('insert into messages'))
  t.equal(inserts.length, 1)
  t.notMatch(inserts[0], /idempotency/)
  t.equal(await keys(), before)
  t.equal(await queriesOf(server, () => idOf(sender, toSelf(sender, local('q')))), plain)
  const repeat = toSelf(sender, local('q'))
  t.equal(await queriesOf(server, () => idOf(sender, repeat)), plain, 'a repeat')
})

t.test('expired keys are deleted, also by two workers at the same time', async t => {
  const [sender] = await people(server, 1)
  const kept = toSelf(sender, local('q'))
  for (let n = 0; n < 5; n++) await idOf(sender, toSelf(sender, local('q')))
  await sql`update idempotency_keys set created = created - interval '11 minutes'`
  const id = await idOf(sender, kept)
  await Promise.all([pruneIdempotencyKeys(ctx.sql), pruneIdempotencyKeys(second.ctx.sql)])
  t.same([...(await sql`select message_id from idempotency_keys`)], [{ message_id: id }])
  t.equal(await idOf(sender, kept), id)
})
