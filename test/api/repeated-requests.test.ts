// Requests with an Idempotency-Key: which are repeats of each other, what they get, and which are refused.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import WebSocket from 'ws'
import { budgets } from '../../server/config/budgets.js'
import { pruneIdempotencyKeys } from '../../server/store/messages/idempotency-keys.js'
import { head, RawConnection } from '../http/raw.js'
import { SocketClient } from '../socket/socket-client.js'
import { basic, formEncode, type Params } from '../support/http.js'
import { postKeyed } from '../support/keyed.js'
import { changeDirectory, deactivate, groupId, setOrganization, setUser } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { queriesOf, statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'
import { channelOf, people, refused, say } from './messages/scene.js'

const server = await startServer(t)
const { sql } = server
/** A second worker of the same organization. */
const second = await startServer(t, {}, server.organization)

const snippet = (title = 'title'): Params => ({ title, content: 'text' })
const save = (who: Person, key: string | undefined, params = snippet()) =>
  postKeyed(who, '/saved_snippets', params, key)
const send = (who: Person, key: string | undefined, params: Params = {}) =>
  postKeyed(who, '/messages', { type: 'direct', to: [who.id], content: 'hello', ...params }, key)
const snippetsOf = async (who: Person): Promise<number[]> =>
  (await who.ok('GET', '/saved_snippets')).saved_snippets.map(({ id }: { id: number }) => id)
const messagesOf = async ({ id }: Person): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`select id from messages where sender_id = ${id} order by id`
  return rows.map(row => row.id)
}
const reused = { status: 422, body: { result: 'error', code: 'IDEMPOTENCY_KEY_REUSED' } }

t.test('keys that are refused, before anything is created', async t => {
  const [person] = await people(server, 1)
  const longest = 'x'.repeat(budgets.idempotencyKey.most)
  for (const key of [`${longest}x`, '', 'two words', 'one, two', 'é', '\t']) {
    t.match(await save(person, key), refused(), JSON.stringify(key.slice(0, 20)))
    t.match(await send(person, key), refused())
  }
  t.same([await snippetsOf(person), await messagesOf(person)], [[], []])
  for (const key of [longest, '!', '~', '"8e03978e-40d5-43dd-bc93-6894a57f9324"']) {
    t.equal((await save(person, key)).status, 200, key.slice(0, 20))
  }
})

/** A POST with these lines in its head. */
async function raw(who: Person, path: string, params: Params, lines: string): Promise<number | undefined> {
  const body = formEncode(params).toString()
  const headers = {
    Authorization: basic(who.who as Person),
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': body.length,
  }
  const connection = new RawConnection({ port: Number(new URL(server.url).port) })
  connection.write(head('POST', `/api/v1${path}`, headers).replace(/\r\n\r\n$/, `\r\n${lines}\r\n`) + body)
  const answer = await connection.answer()
  connection.destroy()
  return answer?.status
}

t.test('two headers are refused, in any case of letters', async t => {
  const [person] = await people(server, 1)
  const twice = 'Idempotency-Key: one\r\nidempotency-key: one\r\n'
  t.equal(await raw(person, '/saved_snippets', snippet(), twice), 400)
  t.equal(await raw(person, '/register_client_device', {}, 'Idempotency-Key:\r\n'), 400, 'an empty one')
  t.same(await snippetsOf(person), [])
  t.equal(await raw(person, '/saved_snippets', snippet(), 'IDEMPOTENCY-KEY:   one  \r\n'), 200)
  t.equal((await save(person, 'one')).body.saved_snippet_id, (await snippetsOf(person))[0])
})

t.test('other parameters and other operations with a used key are refused', async t => {
  const [person, other] = await people(server, 2)
  const [ofSnippet, ofMessage] = [randomUUID(), randomUUID()]
  await save(person, ofSnippet)
  await send(person, ofMessage)
  t.match(await save(person, ofSnippet, snippet('other')), reused)
  t.match(await save(person, ofMessage), reused, 'the key of a message')
  t.match(await send(person, ofSnippet), reused, 'the key of a snippet')
  for (const change of [{ content: 'other' }, { to: [other.id] }, { read_by_sender: true }, { content: '' }]) {
    t.match(await send(person, ofMessage, change), reused, JSON.stringify(change))
  }
  t.match(
    await send(person, ofMessage, { type: 'channel', to: 'absent', topic: 't' }),
    reused,
    'a refused request, too',
  )
  t.match(await send(person, ofMessage, { type: 'none' }), { status: 400 }, 'but its parameters can be read')
  t.same([(await snippetsOf(person)).length, (await messagesOf(person)).length], [1, 1])
})

t.test('what is a request of its own', async t => {
  const [person, other] = await people(server, 2)
  const saves = [
    await save(person, 'key'),
    await save(person, 'KEY'),
    await save(person, undefined),
    await save(other, 'key'),
  ]
  t.equal(new Set(saves.map(({ body }) => body.saved_snippet_id)).size, 4)
  const sends = [
    await send(person, 'sent'),
    await send(person, 'SENT'),
    await send(person, undefined),
    await send(other, 'sent'),
  ]
  t.equal(new Set(sends.map(({ body }) => body.id)).size, 4)
})

t.test('after its lifetime a key is new, also for another operation; expired keys are deleted', async t => {
  const [person] = await people(server, 1)
  const age = (minutes: number) =>
    sql`update idempotency_keys set created = created - make_interval(mins => ${minutes})`
  const [key, ofMessage] = [randomUUID(), randomUUID()]
  const first = await save(person, key)
  const message = await send(person, ofMessage)
  await age(9)
  t.equal((await save(person, key)).text, first.text, 'after nine minutes')
  t.equal((await send(person, ofMessage)).text, message.text)
  await age(1)
  const later = await save(person, key, snippet('other'))
  t.not(later.text, first.text)
  t.equal((await save(person, key, snippet('other'))).text, later.text)
  t.match(await save(person, key), reused)
  t.equal((await send(person, ofMessage, { content: 'other' })).status, 200)
  await age(10)
  t.equal((await send(person, key)).status, 200, 'the expired key of a snippet')
  await age(10)
  await pruneIdempotencyKeys(sql)
  t.same([...(await sql`select from idempotency_keys`)], [])
})

t.test('a refused request is not remembered', async t => {
  const [person] = await people(server, 1)
  const [key, ofMessage] = [randomUUID(), randomUUID()]
  t.match(await save(person, key, { ...snippet(), title: ' ' }), refused())
  t.match(
    await send(person, ofMessage, { type: 'channel', to: 'absent', topic: 't' }),
    refused('STREAM_DOES_NOT_EXIST'),
  )
  t.equal((await save(person, key)).status, 200)
  t.equal((await send(person, ofMessage)).status, 200)
})

t.test('what the database refuses is not remembered', async t => {
  const [person] = await people(server, 1)
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refused before insert on saved_snippets for each row when (new.title = 'refused') execute function refuse()`)
  const key = randomUUID()
  t.equal((await save(person, key, snippet('refused'))).status, 500)
  await sql.unsafe('drop trigger refused on saved_snippets; drop function refuse()')
  const { status, text } = await save(person, key)
  t.equal(status, 200)
  t.equal((await save(person, key)).text, text)
})

/** Runs `work` while inserts of snippets wait for a lock of the test. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await sql.unsafe(`
    create table held ();
    create function hold() returns trigger language plpgsql as $$ begin lock table held in share mode; return new; end $$;
    create trigger held before insert on saved_snippets for each row execute function hold()`)
  try {
    await sql.begin(async tx => {
      await tx`lock table held in row exclusive mode`
      await work()
    })
  } finally {
    await sql.unsafe('drop trigger held on saved_snippets; drop function hold(); drop table held')
  }
}

/** Waits until this many backends wait for locks of this kind; returns their process ids. */
async function waiting(kind: 'relation' | 'transactionid', count: number): Promise<number[]> {
  for (;;) {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where wait_event_type = 'Lock' and wait_event = ${kind}
        and pid in (select pid from pg_locks where relation = 'idempotency_keys'::regclass)`
    if (rows.length === count) return rows.map(row => row.pid)
    await sleep(20)
  }
}

t.test(
  'a repeat waits for the first request: it gets the first answer, or creates if the first one failed',
  async t => {
    for (const fails of [false, true]) {
      const [person] = await people(server, 1)
      const key = randomUUID()
      const answers: ReturnType<typeof save>[] = []
      await whileHeld(async () => {
        answers.push(save(person, key))
        const [first] = await waiting('relation', 1)
        answers.push(postKeyed(second.api(person.who), '/saved_snippets', snippet(), key))
        await waiting('transactionid', 1)
        if (fails) await sql`select pg_cancel_backend(${first as number})`
        if (fails) await answers[0]
      })
      const [one, two] = await Promise.all(answers)
      t.equal(one?.status, fails ? 503 : 200)
      t.equal(two?.status, 200)
      if (!fails) t.equal(one?.text, two?.text)
      t.same(await snippetsOf(person), [two?.body.saved_snippet_id])
    }
  },
)

t.test('a repeat is answered while the account may call the operation, whatever else has changed', async t => {
  const [member, gone] = await people(server, 2)
  const admin = await server.person({ role: 200 })
  const [ofGroup, ofLinkifier, ofMessage, ofGone] = Array.from({ length: 4 }, () => randomUUID())
  const group = () => postKeyed(member, '/user_groups/create', { name: 'once', description: '', members: [] }, ofGroup)
  const linkifier = (who: Person) =>
    postKeyed(
      who,
      '/realm/filters',
      { pattern: 'once(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' },
      ofLinkifier,
    )
  const { id: channel, name } = await channelOf([member], { invite_only: true })
  const message = () => send(member, ofMessage, { type: 'channel', to: channel, topic: 'talk' })
  const first = [await group(), await message()].map(({ text }) => text)
  const added = await linkifier(admin)
  await save(gone, ofGone)
  await setOrganization(sql, { can_create_groups: await groupId(sql, 'role:owners') })
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  t.same([(await group()).text, (await message()).text], first)
  t.match(
    await postKeyed(member, '/user_groups/create', { name: 'more', description: '', members: [] }, 'k'),
    refused(),
  )
  t.equal((await linkifier(admin)).text, added.text)
  await setUser(sql, admin.id, { role: 400 })
  t.match(await linkifier(admin), refused('UNAUTHORIZED_PRINCIPAL'), 'no administrator any more')
  await deactivate(sql, gone.id)
  t.match(await save(gone, ofGone), { status: 401 })
})

t.test('the answer is the stored one, also when what was created is gone', async t => {
  const [person] = await people(server, 1)
  const admin = await server.person({ role: 200 })
  const { id: channel } = await channelOf([person, admin])
  const [key, ofMessage] = [randomUUID(), randomUUID()]
  const saved = await save(person, key)
  const params = { type: 'channel', to: channel, topic: 'talk' }
  const sent = await send(person, ofMessage, params)
  await person.ok('DELETE', `/saved_snippets/${saved.body.saved_snippet_id}`)
  await admin.ok('DELETE', `/messages/${sent.body.id}`)
  t.equal((await save(person, key)).text, saved.text)
  t.equal((await send(person, ofMessage, params)).text, sent.text)
  t.same([await snippetsOf(person), await messagesOf(person)], [[], []])
})

t.test('the answer to a message has the new visibility policy again', async t => {
  const person = await server.person({ settings: { automatically_follow_topics_policy: 3 } })
  const { id: channel } = await channelOf([person])
  const key = randomUUID()
  const first = await send(person, key, { type: 'channel', to: channel, topic: 'new' })
  t.equal(first.body.automatic_new_visibility_policy, 3)
  t.equal((await send(person, key, { type: 'channel', to: channel, topic: 'new' })).text, first.text)
  const second = await send(person, randomUUID(), { type: 'channel', to: channel, topic: 'new' })
  t.same(Object.keys(second.body), ['result', 'msg', 'id'], 'unchanged by another message')
})

t.test('a repeated upload that would exceed the quota is the first file; nothing is stored twice', async t => {
  const [person] = await people(server, 1)
  await setOrganization(sql, { upload_quota_mib: 1 })
  const upload = (bytes: number, key: string) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), 'a.bin')
    return postKeyed(person, '/user_uploads', form, key)
  }
  const first = await upload(800_000, 'file')
  t.equal(first.status, 200)
  t.match(await upload(800_000, 'other'), refused('REALM_UPLOAD_QUOTA'))
  t.equal((await upload(800_000, 'file')).text, first.text)
  t.match(await upload(800_001, 'file'), reused, 'another length')
  t.equal((await person.ok('GET', '/attachments')).attachments.length, 1)
  t.same([...(await sql`select from resumable_uploads`)], [])
})

t.test('a message with a local id and a key is named by its key', async t => {
  const [person] = await people(server, 1)
  const key = randomUUID()
  const local = { queue_id: 'q', local_id: 'local' }
  const first = await send(person, key, local)
  t.equal((await send(person, key, local)).text, first.text)
  t.match(await send(person, key), reused)
  const { id } = (await send(person, undefined, local)).body
  t.not(id, first.body.id)
  t.equal((await send(person, undefined, local)).body.id, id)
})

/** Makes accounts; returns their ids. */
async function crowd(size: number): Promise<number[]> {
  let ids: number[] = []
  await changeDirectory(sql, async (tx, version) => {
    const rows = await tx<{ id: number }[]>`
      insert into users (delivery_email, full_name, role, api_key, version)
      select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, md5('crowd' || n), ${version} from generate_series(1, ${size}) n
      returning id`
    ids = rows.map(row => row.id)
  })
  return ids
}

t.test('an answer that is too long to be stored: the repeat learns that the request took effect', async t => {
  const owner = await server.person({ role: 100 })
  const params = {
    subscriptions: [{ name: 'c'.repeat(60) }],
    principals: await crowd(250),
    send_new_subscription_messages: false,
  }
  const key = randomUUID()
  const first = await postKeyed(owner, '/users/me/subscriptions', params, key)
  t.equal(first.status, 200)
  t.ok(first.text.length > budgets.storedAnswer.most)
  const repeat = await postKeyed(owner, '/users/me/subscriptions', params, key)
  t.match(repeat, { status: 409, body: { code: 'IDEMPOTENT_ANSWER_NOT_STORED' } })
})

t.test('operations that create nothing ignore the header', async t => {
  const [person] = await people(server, 1)
  const id = await say(person, [person])
  const flag = (op: string, key: string) =>
    postKeyed(person, '/messages/flags', { messages: [id], op, flag: 'starred' }, key)
  t.equal((await flag('add', 'a key')).status, 200, 'also a malformed one')
  t.equal((await flag('remove', 'key')).status, 200)
  t.equal((await flag('add', 'key')).status, 200)
  for (const content of ['edited', 'edited again']) {
    const edit = { method: 'PATCH', content }
    t.equal(await raw(person, `/messages/${id}`, edit, 'Idempotency-Key: key\r\n'), 200, 'a POST that edits')
  }
})

t.test('over the socket', async t => {
  const [person] = await people(server, 1)
  for (const codec of ['json', 'msgpack']) {
    const url = `${server.url.replace('http', 'ws')}/api/v1/socket`
    const client = new SocketClient(
      new WebSocket(url, [`chat.v1.${codec}`], { headers: { Authorization: basic(person.who as Person) } }),
    )
    await new Promise(resolve => client.socket.once('open', resolve))
    t.teardown(() => client.socket.close())
    let id = 0
    const ask = async (idempotency_key: unknown, params = snippet()) => {
      client.send({ op: 'request', id: ++id, method: 'POST', path: '/saved_snippets', params, idempotency_key })
      return await client.reply(id)
    }
    for (const key of ['', 'two words', 'x'.repeat(256)]) t.match(await ask(key), refused(), key)
    const key = randomUUID()
    const first = await ask(key)
    t.equal(first.status, 200)
    t.same((await ask(key)).body, first.body)
    t.same((await save(person, key)).body, first.body, 'and over REST')
    t.match(await ask(key, snippet('other')), reused)
    t.not((await ask(null)).body.saved_snippet_id, (await ask(null)).body.saved_snippet_id)
    client.send({ op: 'request', id: 99, method: 'POST', path: '/saved_snippets', idempotency_key: 5 })
    t.match(await client.frame(frame => frame.op === 'error'), { msg: /^idempotency_key: / })
  }
})

t.test('a message takes one statement with a key and without; without one nothing asks for keys', async t => {
  const [person] = await people(server, 1)
  const keyless = await queriesOf(server, () => send(person, undefined))
  t.equal(await queriesOf(server, () => send(person, randomUUID())), keyless)
  const ofKeys = (statements: readonly string[]) => statements.filter(text => text.includes('idempotency_keys')).length
  const keyed = await statementsOf(server, () => save(person, randomUUID()))
  t.equal(ofKeys(keyed), 2)
  t.equal(ofKeys(await statementsOf(server, () => save(person, undefined))), 0)
  t.equal(ofKeys(await statementsOf(server, () => send(person, undefined))), 0)
  t.equal(await queriesOf(server, () => save(person, undefined)), 2, 'one that opens, and one that stores')
})
