import t from 'tap'
import { digests } from '../../server/jobs/digests.js'
import { newMails } from '../support/mails.js'
import { limitGuests, setChannel, setOrganization, setUser } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const hour = 3_600_000
const now = Date.now()
let late = 0
ctx.clock.now = () => now + late
const mails = newMails(sql, server.config.dataDir)
const run = async () =>
  digests.run(ctx, {}, { signal: new AbortController().signal } as Parameters<typeof digests.run>[2])
/** Makes the present day one with digests. */
const today = () => ({ digest_emails_enabled: true, digest_weekday: (new Date(now + late).getUTCDay() + 6) % 7 })
const runToday = async () => {
  await setOrganization(sql, today())
  await run()
  return mails()
}
/** A person who joined long ago. */
const person = (options: Parameters<typeof server.person>[0] = {}) =>
  server.person({ date_joined: new Date(now - 240 * hour), ...options })
const join = async (name: string, people: readonly Person[], more: Record<string, unknown> = {}): Promise<number> => {
  const [first] = people as [Person]
  const subscriptions = [{ name }]
  await first.ok('POST', '/users/me/subscriptions', { subscriptions, principals: people.map(one => one.id), ...more })
  const [row] = await sql<{ id: number }[]>`select id from channels where name = ${name}`
  return row?.id ?? 0
}
const say = (who: Person, to: number, topic: string, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to, topic, content })

const [ann, bob, cid] = [
  await person({ full_name: 'Ann' }),
  await person({ full_name: 'Bob' }),
  await person({ full_name: 'Cid' }),
]
const away = await person({ settings: { default_language: 'de' } })
const guest = await person({ role: 600 })
const [general, muted, secret] = [
  await join('general', [ann, bob, cid, away, guest]),
  await join('quiet', [ann, bob, away]),
  await join('secret', [ann, bob], { invite_only: true }),
]
await away.ok('POST', '/users/me/subscriptions/properties', {
  subscription_data: [{ stream_id: muted, property: 'is_muted', value: true }],
})
await say(ann, general, 'plans', 'First **plan**')
await say(bob, general, 'plans', 'Second plan')
await say(ann, general, 'Plans', 'Third plan')
for (const text of ['one', 'two', 'three', 'four', 'five']) await say(cid, general, 'monologue', text)
await say(bob, general, 'nuisance', 'muted topic')
await say(bob, muted, 'hush', 'in a muted channel')
await say(bob, secret, 'hush', 'in a private channel')
await away.ok('POST', '/user_topics', { stream_id: general, topic: 'nuisance', visibility_policy: 1 })
// The channels are older than the period.
for (const id of [general, muted, secret]) await setChannel(sql, id, { date_created: new Date(now - 240 * hour) })
const late1 = await person()
await join('general', [late1])
const open = await join('brand-new', [ann])

t.test('people who were away get the busiest topics of what they received, and new channels', async t => {
  const sent = await runToday()
  t.same(sent.map(one => one.to).sort(), [away.email, guest.email, late1.email].sort(), 'those who wrote were not away')
  const [mine, ofGuest, ofLate] = [away, guest, late1].map(who => sent.find(one => one.to === who.email))
  t.match(mine?.subject, /^Das war los bei /)
  t.match(
    mine?.html,
    /<h2>#general &gt; Plans<\/h2>[\s\S]*Ann · [\s\S]*<p>First <strong>plan<\/strong><\/p>[\s\S]*Bob · [\s\S]*Second plan/,
  )
  t.match(mine?.text, /Noch eine Nachricht; es schrieben Ann und Bob\./)
  t.match(
    mine?.text,
    /## #general > Plans[\s\S]*## #general > monologue[\s\S]*> one[\s\S]*> two[\s\S]*Noch 3 Nachrichten/,
  )
  t.match(mine?.text, `/#narrow/channel/${general}-general/topic/monologue`)
  t.match(mine?.text, `/#narrow/channel/${open}-brand-new`)
  t.match(mine?.source, /^List-Unsubscribe: <http.*\/accounts\/unsubscribe\/digest\/\d+-[0-9a-f]{32}>$/m)
  for (const form of [mine?.text, mine?.html]) t.notMatch(form, /Third|three|nuisance|muted|private|hush|secret/)
  t.match(ofGuest?.text, /nuisance[\s\S]*muted topic/, 'another reader has not muted it')
  t.notMatch(ofGuest?.text, /brand-new/, 'guests learn of public channels for the web only')
  t.match(ofLate?.text, /brand-new/)
  const { settings_send_digest_emails } = await ann.ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.equal(settings_send_digest_emails, true, 'clients learn that there are digests')
  t.notMatch(ofLate?.text, /plan/, 'the subscription began meanwhile')
})

t.test('there is no second digest within twelve hours, and one later', async t => {
  t.same(await runToday(), [])
  late = 11.9 * hour
  t.same(await runToday(), [])
  late = 12.1 * hour
  t.equal((await runToday()).length, 3)
})

t.test('settings, weekday, presence, sessions and messages prevent digests', async t => {
  late = 25 * hour
  await setOrganization(sql, { ...today(), digest_weekday: (today().digest_weekday + 1) % 7 })
  await run()
  await setOrganization(sql, { ...today(), digest_emails_enabled: false })
  await run()
  await setOrganization(sql, { ...today(), message_content_allowed_in_email_notifications: false })
  await run()
  t.same(await mails(), [])
  await setOrganization(sql, { message_content_allowed_in_email_notifications: true })
  await setUser(sql, late1.id, { is_active: false })
  await guest.ok('POST', '/users/me/presence', { status: 'idle' })
  await sql`insert into sessions (user_id, token_hash, last_used, method, device, address)
    values (${away.id}, '\\x00', ${new Date(now)}, 'password', '', '')`
  const off = await person({ settings: { enable_digest_emails: false } })
  const hidden = await person({ settings: { message_content_in_email_notifications: false } })
  const fresh = await person({ date_joined: new Date(now - 90 * hour) })
  const bot = await person({ bot_type: 1, bot_owner_id: ann.id })
  t.same(
    (await runToday()).map(one => one.to),
    [],
  )
  late = 25 * hour + 121 * hour
  await sql`update sessions set last_used = ${new Date(now + 5 * hour)}`
  await setChannel(sql, open, { date_created: new Date(now + late) })
  const to = (await runToday()).map(one => one.to)
  t.ok(to.includes(fresh.email), 'five days later')
  for (const one of [off, hidden, bot, late1]) t.notOk(to.includes(one.email))
})

t.test('readers who do not see all users get no names, and messages of muted users are left out', async t => {
  await setOrganization(sql, today())
  await limitGuests(sql)
  await sql`delete from sent_digests`
  await guest.ok('POST', `/users/me/muted_users/${cid.id}`)
  const [one, ...rest] = (await runToday()).filter(mail => mail.to === guest.email)
  t.same(rest, [])
  t.notMatch(one?.text, /Ann|Bob|Cid|monologue/)
})

t.test('the number of statements does not grow with readers', async t => {
  const count = async () => {
    await sql`delete from sent_digests`
    const statements = await statementsOf(server, run)
    await mails()
    return statements.length
  }
  // Another job may make a statement meanwhile.
  const least = async () => Math.min(await count(), await count(), await count())
  await setOrganization(sql, today())
  const few = await least()
  for (let i = 0; i < 20; i++) await person()
  t.equal(await least(), few)
})
