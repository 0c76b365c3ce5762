import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { until } from '../../http/until.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { deactivate } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
const { sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const missing = { status: 404, body: { result: 'error', code: 'BAD_REQUEST' } }

const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
const inAnHour = secondsFromNow(3600)
const listOf = async (owner: Person): Promise<Loose[]> => (await owner.ok('GET', '/reminders')).reminders

async function messageOf(sender: Person, to: number[], content: string): Promise<number> {
  return (await sender.ok('POST', '/messages', { type: 'direct', to, content })).id
}

async function remind(owner: Person, message_id: number, given: Loose = {}): Promise<number> {
  const params = { message_id, scheduled_delivery_timestamp: inAnHour, ...given }
  return (await owner.ok('POST', '/reminders', params)).reminder_id
}

/** The time of the reminder came so many seconds ago. */
async function comes(id: number, secondsAgo = 0): Promise<void> {
  await sql`update reminders set due = date_trunc('second', now() - make_interval(secs => ${secondsAgo})) where id = ${id}`
  await sql`update jobs set due = now() where key = ${`reminder ${id}`}`
  server.jobs.look()
}

/** What the notification bot wrote to the reader, newest first. */
async function noticesTo(reader: Person): Promise<Loose[]> {
  const page = { anchor: 'newest', num_before: 20, num_after: 0, narrow: [{ operator: 'is', operand: 'dm' }] }
  const { messages } = await reader.ok('GET', '/messages', { ...page, apply_markdown: false })
  return messages.filter((one: Loose) => one.sender_email.startsWith('notification-bot@')).reverse()
}

t.test('the notification bot reminds of a message, with a note and the text as it is then', async t => {
  const [owner, author] = [await server.person(), await server.person()]
  const message = await messageOf(author, [owner.id], 'The ```old``` plan')
  const ear = await Listener.start(server.ctx, owner)
  const id = await remind(owner, message, { note: ' Buy paint. ' })
  const plain = await remind(owner, message)
  const found = await listOf(owner)
  for (const one of found) t.same(checkObject('reminder', one), [])
  t.match(found, [
    { reminder_id: id, to: [owner.id], failed: false, reminder_target_message_id: message, content: /Buy paint\.\n/ },
    { reminder_id: plain, content: /of @_\*\*/, rendered_content: /user-mention/ },
  ])
  t.notMatch(found[1]?.content, /note/)
  t.notMatch(JSON.stringify(found), /plan/, 'the text of the message is in no list')
  t.same(await listOf(author), [])
  t.same((await owner.ok('GET', '/scheduled_messages')).scheduled_messages, [], 'they are no scheduled messages')
  await author.ok('PATCH', `/messages/${message}`, { content: 'The new plan' })
  await comes(id)
  await until(async () => (await listOf(owner)).length === 1)
  const [notice] = await noticesTo(owner)
  t.match(notice?.content, new RegExp(`/near/${message}\\)`))
  t.match(notice?.content, /Buy paint\.[\s\S]+The new plan/)
  t.notOk(notice?.flags.includes('read'))
  await owner.ok('DELETE', `/reminders/${plain}`)
  const events = await ear.inStep(t)
  t.same(
    kinds(events).filter(kind => kind.startsWith('reminders')),
    ['reminders/add', 'reminders/add', 'reminders/remove', 'reminders/remove'],
  )
  const removed = events.findIndex(event => event.reminder_id === id)
  t.equal(events[removed - 1]?.type, 'message', 'the removal follows the message')
})

t.test('a message that is gone is only linked', async t => {
  const [owner, author] = [await server.person(), await server.person({ role: 100 })]
  const message = await messageOf(author, [owner.id], 'a secret')
  const id = await remind(owner, message)
  await author.ok('DELETE', `/messages/${message}`)
  await comes(id)
  await until(async () => (await noticesTo(owner)).length === 1)
  const [notice] = await noticesTo(owner)
  t.match(notice?.content, new RegExp(`near/${message}\\)`))
  t.notMatch(notice?.content, /secret/)
})

t.test('it speaks the language of its owner', async t => {
  const owner = await server.person({ settings: { default_language: 'de' } })
  const author = await server.person({ full_name: 'Anna' })
  const message = await messageOf(author, [owner.id], 'Der Plan')
  const [id, late] = [await remind(owner, message, { note: 'Farbe' }), await remind(owner, message)]
  await comes(id)
  await until(async () => (await noticesTo(owner)).length === 1)
  t.match(
    (await noticesTo(owner))[0]?.content,
    /^Du wolltest an \[diese Nachricht\].* von @_\*\*Anna.* erinnert werden\.\n\nDeine Notiz:/,
  )
  await comes(late, 601)
  await until(async () => (await noticesTo(owner)).length === 2)
  t.match(
    (await noticesTo(owner))[0]?.content,
    /^Die Erinnerung, um die du für <time:\S+> gebeten hast, konnte nicht gesendet werden:\n\n```quote\nDer Server konnte zu dieser Zeit nicht senden/,
  )
})

t.test('one that is too late is not sent, and its owner gets a notice', async t => {
  const [owner, author] = [await server.person(), await server.person()]
  const id = await remind(owner, await messageOf(author, [owner.id], 'hello'))
  const ear = await Listener.start(server.ctx, owner)
  await comes(id, 601)
  await until(async () => (await noticesTo(owner)).length === 1)
  t.match(await listOf(owner), [{ reminder_id: id, failed: true }])
  t.match((await noticesTo(owner))[0]?.content, /reminder[\s\S]+could not be sent/)
  const events = (await ear.inStep(t)).filter(event => event.type === 'reminders')
  t.match(events, [
    { op: 'remove', reminder_id: id },
    { op: 'add', reminders: [{ reminder_id: id, failed: true }] },
  ])
})

t.test('of a deactivated account it fails silently', async t => {
  const [owner, author] = [await server.person(), await server.person()]
  const id = await remind(owner, await messageOf(author, [owner.id], 'hello'))
  await deactivate(sql, owner.id)
  await comes(id)
  await until(async () => (await sql`select id from reminders where id = ${id} and failed`).length === 1)
  t.same(await sql`select id from jobs where kind = 'notice'`, [])
})

t.test('input that is refused stores nothing', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const message = await messageOf(owner, [owner.id], 'own')
  const foreign = await messageOf(other, [other.id], 'foreign')
  const id = await remind(owner, message)
  const ear = await Listener.start(server.ctx, owner)
  const given = { message_id: message, scheduled_delivery_timestamp: inAnHour }
  const cases: [string, Loose][] = [
    ['a message of others', { message_id: foreign }],
    ['an unknown message', { message_id: 9_999_999_999 }],
    ['no message', { message_id: 'x' }],
    ['a negative id', { message_id: -1 }],
    ['a past time', { scheduled_delivery_timestamp: secondsFromNow(-1) }],
    ['a far time', { scheduled_delivery_timestamp: 1e15 }],
    ['a long note', { note: 'x'.repeat(budgets.reminderNote.most + 1) }],
    ['NUL in the note', { note: 'a\0' }],
  ]
  for (const [title, changes] of cases)
    t.match(await owner.post('/reminders', { ...given, ...changes }), refused, title)
  for (const name of ['message_id', 'scheduled_delivery_timestamp']) {
    const without = { ...given, [name]: undefined }
    t.match(await owner.post('/reminders', without), { body: { code: 'REQUEST_VARIABLE_MISSING', var_name: name } })
  }
  for (const unknown of [id + 1000, 0, 99_999_999_999]) t.match(await owner.delete(`/reminders/${unknown}`), missing)
  t.match(await other.delete(`/reminders/${id}`), missing)
  const anonymous = server.api(null)
  t.equal((await anonymous.get('/reminders')).status, 401)
  t.equal((await anonymous.post('/reminders', given)).status, 401)
  t.equal((await anonymous.delete(`/reminders/${id}`)).status, 401)
  t.same(await ear.inStep(t), [])
  t.match(await listOf(owner), [{ reminder_id: id }])
  await sql`
    insert into reminders (user_id, message_id, note, content, rendered_content, due)
    select user_id, message_id, note, content, rendered_content, due
    from reminders, generate_series(2, ${budgets.reminders.most}) where id = ${id}`
  t.match(await owner.post('/reminders', given), { ...refused, body: { ...refused.body, msg: /at most 1000/ } })
})
