import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { previewRetention } from '../../../server/actions/retention/preview.js'
import { removeExpired } from '../../../server/actions/retention/remove-expired.js'
import { applyRetentionSettings } from '../../../server/actions/retention/terms.js'
import { until } from '../../http/until.js'
import { newMails } from '../../support/mails.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
const hourMs = 3_600_000
const realNow = ctx.clock.now
const after = (hours: number) => {
  ctx.clock.now = () => realNow() + hours * hourMs
}
const mails = newMails(sql, ctx.config.dataDir)
const [first, second, admin] = [
  await server.person({ role: 100 }),
  await server.person({ role: 100, settings: { default_language: 'de' } }),
  await server.person({ role: 200 }),
]
await first.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'plans' }] })
const { stream_id: channel } = await first.ok('GET', '/get_stream_id', { stream: 'plans' })
const { id } = await first.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'a', content: 'old' })
await sql`update messages set date_sent = now() - interval '10 days' where id = ${id}`
const isThere = async () => (await sql`select from messages where id = ${id}`).length === 1
const keep = (days: number | string) => first.ok('PATCH', `/streams/${channel}`, { message_retention_days: days })
const settled = () => until(async () => (await sql`select from jobs where kind = 'apply-retention'`).length === 0)
const warnings = async (who: Person) =>
  (
    await who.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      narrow: [['is', 'dm']],
      apply_markdown: false,
    })
  ).messages.filter((one: { content: string }) =>
    /Messages will be deleted|Nachrichten werden gelöscht/.test(one.content),
  ).length

t.test('a shorter time warns all owners at once, and applies after a day', async t => {
  await mails()
  await keep(7)
  await settled()
  await until(async () => (await warnings(second)) === 1)
  t.same([await warnings(first), await warnings(admin)], [1, 0])
  const written = (await mails()).filter(mail => /will be deleted|werden gelöscht/.test(mail.subject))
  t.equal(written.length, 2)
  t.match(
    written.find(mail => /will be/.test(mail.subject))?.text,
    /#plans: 7 days[\s\S]*1 messages are too old now[\s\S]*#organization\/messages/,
  )

  await removeExpired(ctx)
  after(23)
  await removeExpired(ctx)
  t.equal(await isThere(), true)
  const { expired } = await previewRetention(ctx, {})
  t.match(expired, [{ channel_id: channel, name: 'plans', days: 7, messages: 1, files: 0, applies_at: Date }])

  await keep(30)
  await settled()
  after(25)
  await removeExpired(ctx)
  t.equal(await isThere(), true, 'the longer time came first')
  t.match((await previewRetention(ctx, { days: 5, channelId: channel })).expired, [{ messages: 1, applies_at: null }])
  t.same((await previewRetention(ctx, {})).expired, [])

  await keep(6)
  await settled()
  after(50)
  await Promise.all([removeExpired(ctx), applyRetentionSettings(ctx), removeExpired(ctx)])
  t.equal(await isThere(), false)
  t.equal(await warnings(first), 2, 'one warning for each shorter time')
  t.match((await previewRetention(ctx, {})).archive, { messages: 1, files: 0, days: 30 })
})

t.test('a shorter time by which nothing is expired needs no warning', async t => {
  const before = await warnings(first)
  await keep(3)
  await settled()
  t.match(await sql`select * from retention_terms where channel_id = ${channel}`, [{ days: 3, waiting_days: null }])
  t.equal(await warnings(first), before)
})

t.test('while what is expired is counted, the organization can be changed', async t => {
  const before = await warnings(first)
  const { id } = await first.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'a', content: 'old' })
  await sql`update messages set date_sent = now() - interval '10 days' where id = ${id}`
  await sql.begin(async tx => {
    // The count reads the table.
    await tx`lock table attachment_uses in access exclusive mode`
    await keep(2)
    await until(async () => {
      const waiting = await sql`
        select from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
        where not granted and relation = 'attachment_uses'::regclass`
      return waiting.length > 0
    })
    const change = first.ok('PATCH', `/streams/${channel}`, { description: 'changed' }).then(() => 'done')
    t.equal(await Promise.race([change, setTimeout(10_000, 'waits')]), 'done')
    await keep(1)
  })
  await settled()
  t.match(await sql`select * from retention_terms where channel_id = ${channel}`, [{ days: 3, waiting_days: 1 }])
  await until(async () => (await warnings(first)) === before + 1)
})
