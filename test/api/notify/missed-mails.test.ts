import t from 'tap'
import { mailFromLastQueue } from '../../../server/actions/notify/last-queue.js'
import { mailMissed } from '../../../server/actions/notify/mail-missed.js'
import { addRemainingMails } from '../../../server/actions/notify/missed-mails.js'
import type { After } from '../../../server/job-types/job-type.js'
import { until } from '../../http/until.js'
import type { Loose } from '../../support/in-step.js'
import { newMails, type ReadMail } from '../../support/mails.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { NotifyScene } from './scene.js'

const server = await startServer(t, { INCOMING_MAIL_ADDRESS: 'in+%s@mail.example', INCOMING_MAIL_PORT: '0' })
const { sql } = server
const scene = new NotifyScene(server)
const sender = await server.person({ full_name: 'Ada' })
const away = (settings: Loose = {}) => server.person({ settings })
const written = newMails(sql, server.config.dataDir)

/** The mails that the user gets at the end of the batching period. */
async function mailsOf(person: Person): Promise<ReadMail[]> {
  await scene.periodEnds(person)
  return (await written()).filter(mail => mail.to.includes(person.email))
}

const dueOf = async (person: Person): Promise<number | undefined> => {
  const [row] = await sql<{ due: Date }[]>`select due from jobs where key = ${`missed messages ${person.id}`}`
  return row?.due.getTime()
}

t.test('messages of a period are one mail per conversation, each once', async t => {
  const reader = await away()
  const third = await server.person({ full_name: 'Grace' })
  const place = await scene.channel(sender, [reader])
  await scene.post(sender, place, 'What was said before')
  await scene.direct(sender, [reader], 'first of two')
  await scene.direct(sender, [reader, third], 'to the group')
  await scene.post(sender, place, `@**${reader.full_name}** come, [please](/#narrow)`)
  await scene.decided(await scene.direct(sender, [reader], 'second of two'))
  t.equal((await sql`select from missed_mails where user_id = ${reader.id}`).length, 1)
  const due = ((await dueOf(reader)) ?? 0) - Date.now()
  t.ok(due > 100_000 && due <= 120_000, 'two minutes after the first of them')
  const mails = await mailsOf(reader)
  t.same(
    mails.map(mail => mail.subject).sort(),
    ['#channel 1 > topic', 'DMs with Ada', 'Group DMs with Ada, Grace'].sort(),
  )
  const [channel, direct] = [
    mails.find(mail => mail.subject.startsWith('#')),
    mails.find(mail => mail.subject.startsWith('DMs')),
  ]
  t.match(channel?.text, /What was said before[\s\S]*come, please/)
  t.match(channel?.html, new RegExp(`href="${server.ctx.publicUrl}/#narrow`))
  t.match(direct?.text, /first of two[\s\S]*second of two/)
  t.match(direct?.text, /accounts\/unsubscribe\/missed_messages\//)
  t.match(direct?.source, /^Reply-To: .*in\+mm[0-9a-f]{32}@mail\.example/im)
  await scene.decided(await scene.direct(sender, [reader], 'a day later'))
  const [later, ...others] = await mailsOf(reader)
  t.same(others, [])
  t.match(later?.text, /a day later/)
  t.notMatch(later?.text, /of two/)
})

t.test('what users said that the reader has muted is not shown before a mention', async t => {
  const [reader, other] = [await away(), await server.person()]
  await reader.ok('POST', `/users/me/muted_users/${other.id}`)
  const place = await scene.channel(sender, [reader, other])
  await scene.post(sender, place, 'from the sender')
  await scene.post(other, place, 'from the other')
  await scene.decided(await scene.post(sender, place, `@**${reader.full_name}** hello`))
  const [mail, ...more] = await mailsOf(reader)
  t.same(more, [])
  t.match(mail?.text, /from the sender[\s\S]*hello/)
  t.notMatch(mail?.source, /from the other/)
})

t.test('the mails of a user have no more text than they show, and one statement stores where answers go', async t => {
  const reader = await away()
  const place = await scene.channel(sender, [reader])
  const long = (name: string) => `${name} ${'x'.repeat(9_940)}`
  await scene.post(sender, place, long('too early'))
  await scene.post(sender, place, 'just before')
  for (let i = 0; i < 5; i++) await scene.post(sender, place, `@**${reader.full_name}** ${long(`mention ${i}`)}`)
  for (let i = 0; i < 7; i++) await scene.direct(sender, [reader], long(`direct ${i}`))
  await scene.decided(await scene.direct(sender, [reader], 'the last'))
  const stored: string[] = []
  const options = server.ctx.sql.options as unknown as { debug: unknown }
  options.debug = (_: number, text: string) => {
    if (text.includes('insert into mail_addresses')) stored.push(text)
  }
  const contents: Loose[] = []
  const after: After = (_, payload) => void contents.push((payload as Loose).content)
  await server.ctx.write(tx => mailMissed(server.ctx, tx, after, reader.id))
  options.debug = false
  t.equal(stored.length, 1)
  const shown = (content: Loose) =>
    content.messages.map(({ html }: Loose) => /just before|too early|(mention|direct) \d/.exec(html)?.[0])
  t.same(
    contents.map(content => [content.conversation.type, shown(content), content.others]),
    [
      ['channel', ['just before', ...[0, 1, 2, 3, 4].map(i => `mention ${i}`)], 0],
      ['direct', [0, 1, 2, 3, 4, 5].map(i => `direct ${i}`), 2],
    ],
  )
  for (const { replyTo } of contents) t.match(replyTo, /^in\+mm/)
})

t.test('what was read, deleted, lost or switched off meanwhile is not mailed', async t => {
  const [reader, leaver, muter, quiet, gone] = [await away(), await away(), await away(), await away(), await away()]
  const people = [reader, leaver, muter, quiet, gone]
  const place = await scene.channel(sender, people, { invite_only: true })
  const mentions = people.map(one => `@**${one.full_name}|${one.id}**`).join(' ')
  const id = await scene.post(sender, place, mentions)
  const deleted = await scene.direct(sender, [reader], 'deleted')
  t.same(Object.keys(await scene.reasons(id)).length, people.length)
  await scene.decided(deleted)
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
  await sql`delete from messages where id = ${deleted}`
  const [channel] = await sql<{ name: string }[]>`select name from channels where id = ${place}`
  await leaver.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel?.name] })
  await muter.ok('POST', `/users/me/muted_users/${sender.id}`)
  await quiet.ok('PATCH', '/settings', { enable_offline_email_notifications: false })
  const owner = await server.person({ role: 100 })
  await owner.ok('DELETE', `/users/${gone.id}`)
  for (const person of people) t.same(await mailsOf(person), [], person.full_name)
})

t.test('a new batching period moves the mail that waits', async t => {
  const reader = await away()
  const owner = await server.person({ role: 100 })
  await scene.decided(await scene.direct(sender, [reader]))
  const [row] = await sql<{ since: Date }[]>`select since from missed_mails where user_id = ${reader.id}`
  const since = row?.since.getTime() ?? 0
  await reader.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 3600 })
  t.equal(await dueOf(reader), since + 3_600_000)
  const settings = { email_notifications_batching_period_seconds: 1800, target_users: { user_ids: [reader.id] } }
  await owner.ok('PATCH', '/settings', settings)
  t.equal(await dueOf(reader), since + 1_800_000)
  await reader.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 1 })
  await until(async () => (await sql`select from missed_mails where user_id = ${reader.id}`).length === 0)
  t.equal((await written()).filter(mail => mail.to.includes(reader.email)).length, 1)
})

t.test('a quiet time holds the mail until its end, and an end that comes earlier lets it go', async t => {
  const [asked, nightly] = [await away(), await away()]
  await nightly.ok('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
  const id = await scene.direct(sender, [asked, nightly], 'not at night')
  await scene.decided(id)
  const now = Math.floor(Date.now() / 1000)
  await asked.ok('PATCH', '/users/me/do_not_disturb', { until: now + 7200 })
  const minute = (Math.floor(now / 60) + 330) % 1440
  const quiet_hours = { from: (minute + 1430) % 1440, to: (minute + 90) % 1440 }
  await nightly.ok('PATCH', '/users/me/do_not_disturb', { quiet_hours })
  for (const one of [asked, nightly]) {
    await sql`update jobs set due = now() where key = ${`missed messages ${one.id}`}`
    server.jobs.look()
    await until(async () => ((await dueOf(one)) ?? 0) > Date.now() + 3_600_000)
    t.equal((await sql`select from missed_mails where user_id = ${one.id}`).length, 1)
  }
  t.equal(await dueOf(asked), (now + 7200) * 1000)
  const left = ((await dueOf(nightly)) ?? 0) - Date.now()
  t.ok(left > 88 * 60_000 && left <= 90 * 60_000, `${left} ms`)
  t.same(await written(), [])
  await asked.ok('PATCH', '/users/me/do_not_disturb', { until: null })
  t.ok(((await dueOf(asked)) ?? 0) <= Date.now() + 120_000)
  await nightly.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
  await nightly.ok('PATCH', '/users/me/do_not_disturb', { quiet_hours: null })
  t.equal((await mailsOf(asked)).length, 1)
  t.same(await mailsOf(nightly), [], 'what was read meanwhile is not mailed')
})

t.test('what came for a vanished client is decided without the subscribers of its channels', async t => {
  const reader = await away()
  const place = await scene.channel(sender, [reader])
  const since = server.ctx.clock.now()
  const id = await scene.post(sender, place, '@**all** hello')
  await scene.decided(id)
  await sql`delete from missed_messages where user_id = ${reader.id}`
  const { subscribers } = server.ctx.memory
  const { read } = subscribers
  subscribers.read = () => Promise.reject(new Error('they are read'))
  t.teardown(() => Object.assign(subscribers, { read }))
  await server.ctx.write((tx, _, { after }) => mailFromLastQueue(server.ctx, tx, after, { user: reader.id, since }))
  t.same(await scene.reasons(id), { [reader.id]: 'channel_wildcard' })
})

t.test('a mail whose job is dead, or was discarded, gets a job again', async t => {
  for (const lose of [
    (key: string) => sql`update jobs set state = 'dead', error = 'broken' where key = ${key}`,
    (key: string) => sql`delete from jobs where key = ${key}`,
  ]) {
    const reader = await away()
    await scene.decided(await scene.direct(sender, [reader], 'before it was lost'))
    await lose(`missed messages ${reader.id}`)
    await scene.decided(await scene.direct(sender, [reader], 'after it was lost'))
    await sql`update jobs set due = now() where kind = 'remaining-missed-mails'`
    const [mail, ...more] = await mailsOf(reader)
    t.same(more, [])
    t.match(mail?.text, /before it[\s\S]*after it/)
  }
})

t.test('mails that have a job get no second one', async t => {
  const reader = await away()
  await scene.decided(await scene.direct(sender, [reader]))
  await server.ctx.write((tx, _, { after }) => addRemainingMails(tx, after))
  const jobs = await sql`select from jobs where key = ${`missed messages ${reader.id}`}`
  t.equal(jobs.length, 1)
})

t.test('texts and names stay out of mails where the account or the organization says so', async t => {
  const [hiding, plain] = [await away({ message_content_in_email_notifications: false }), await away()]
  await scene.decided(await scene.direct(sender, [hiding, plain], 'a secret'))
  for (const [person, by] of [
    [hiding, /your settings/],
    [plain, /the organization/],
  ] as const) {
    if (person === plain) await setOrganization(sql, { message_content_allowed_in_email_notifications: false })
    const [mail, ...more] = await mailsOf(person)
    t.same(more, [])
    t.equal(mail?.subject, 'New messages')
    t.match(mail?.text, by)
    t.notMatch(mail?.source, /secret|Ada/)
  }
  await setOrganization(sql, { message_content_allowed_in_email_notifications: true })
})

t.test('the name of the organization is in subjects by the setting', async t => {
  const reader = await away({ realm_name_in_email_notifications_policy: 2 })
  await scene.decided(await scene.direct(sender, [reader]))
  t.match((await mailsOf(reader))[0]?.subject, /^DMs with Ada \[.+\]$/)
})

t.test('what came for a client that had vanished is mailed when its queue is collected', async t => {
  const reader = await away()
  const { presence, clock } = server.ctx
  const report = { userId: reader.id, status: 'active', interval: 0, threshold: 140 } as const
  await presence.exchange(report, 'none', clock.now())
  await reader.ok('POST', '/register', { event_types: ['message'], idle_queue_timeout: 1 })
  const read = await scene.direct(sender, [reader], 'read on a telephone')
  const id = await scene.direct(sender, [reader], 'for the empty chair')
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [read] })
  t.same(await scene.reasons(id), {}, 'a client is there')
  // The job waits until the queue has ended at each worker; made due before, it would find a client.
  await until(async () => {
    server.jobs.look()
    return (await sql`select from missed_messages where message_id = ${id}`).length === 1
  })
  const [mail, ...more] = await mailsOf(reader)
  t.same(more, [])
  t.match(mail?.text, /for the empty chair/)
  t.notMatch(mail?.text, /telephone/)
})
