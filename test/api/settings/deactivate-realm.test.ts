import t from 'tap'
import { deleteOrganizationIfDue } from '../../../server/actions/closing/delete-organization.js'
import { offerReactivation } from '../../../server/actions/closing/reactivate-organization.js'
import { removeBytes } from '../../../server/actions/files/clean-files.js'
import { beginSession } from '../../../server/auth/sessions.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { checkEventSchema } from '../../support/conformance.js'
import { upload } from '../../support/files.js'
import type { Loose } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import { setOrganization } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkEvent } from '../../support/wire-schemas.js'

const server = await startServer(t)
// The worker that runs the job writes the mail.
const second = await startServer(t, { DATA_DIR: server.config.dataDir }, server.organization)
const { ctx, sql } = server
const owner = await server.person({ role: 100 })
const coOwner = await server.person({ role: 100, full_name: 'Co Owner' })
const member = await server.person()
await givePassword(sql, owner, coOwner, member)
const mails = newMails(sql, server.config.dataDir)
const page = new PageClient(server.url)
const path = '/realm/deactivate'

/** Activates the organization by a new link, as its owners do. */
async function reopen(): Promise<void> {
  const offered = await offerReactivation(ctx)
  const link = new URL(offered?.link ?? '').pathname
  t.match(await page.post(link, {}), { status: 302, location: '/login/' })
}

t.test('callers and delays that are refused', async t => {
  const callers: Record<string, [who: Person, status: number]> = {
    administrator: [await server.person({ role: 200 }), 400],
    moderator: [await server.person({ role: 300 }), 400],
    full: [await server.person({ date_joined: new Date(0) }), 400],
    new: [member, 400],
    guest: [await server.person({ role: 600 }), 400],
    bot: [await server.person({ bot_type: 1, bot_owner_id: owner.id }), 400],
    deactivated: [await server.person({ is_active: false }), 401],
  }
  for (const [name, [who, status]] of Object.entries(callers)) {
    const answer = await who.post(path, { deletion_delay_days: 30 })
    t.equal(answer.status, status, name)
    if (status === 400) t.equal(answer.body.code, 'UNAUTHORIZED_PRINCIPAL', name)
  }
  t.equal((await server.api(null).post(path)).status, 401, 'none')
  for (const deletion_delay_days of [0, 13, -1, 36_501, 1.5, 'soon', true, '[]']) {
    const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
    t.match(await owner.post(path, { deletion_delay_days }), refused, String(deletion_delay_days))
  }
  t.equal((await owner.get('/users/me')).status, 200, 'the organization is active')
})

t.test('everything ends at once, at each worker; waiting connections get the event; owners are mailed', async t => {
  const browser = await new Browser(second.url).signIn(member)
  const elsewhere = second.api(member.who)
  const waiting = [owner, member, elsewhere].map(async who => {
    const { queue_id } = await who.ok('POST', '/register', { event_types: ['realm'] })
    return { queue_id, answer: who.get('/events', { queue_id, last_event_id: -1 }), who }
  })
  const polls = await Promise.all(waiting)
  // The polls wait before the request is made.
  for (const { who } of polls) await who.ok('GET', '/users/me')
  await owner.ok('POST', path)
  for (const { answer } of polls) {
    const { events } = (await answer).body
    const [event] = events.filter(({ type }: Loose) => type === 'realm')
    t.match(event, { op: 'deactivated', realm_id: 1 })
    t.same([checkEvent(event), checkEventSchema(event)], [[], []])
  }
  for (const who of [owner, coOwner, member, elsewhere]) {
    t.match(await who.get('/users/me'), { status: 401, body: { code: 'UNAUTHORIZED' } })
  }
  t.equal((await browser.json('GET', '/users/me')).status, 401, 'the session has ended')
  t.same(await sql`select from sessions`, [])
  for (const at of [server, second]) {
    t.match(await at.api(null).post('/fetch_api_key', { username: member.email, password }), {
      status: 401,
      body: { code: 'REALM_DEACTIVATED' },
    })
    t.equal((await at.api(null).get('/server_settings')).status, 200)
  }
  for (const address of ['/login/', '/register/', '/join/aaaaaaaaaaaaaaaaaaaaaaaa/', '/accounts/find/']) {
    t.match(await page.get(address), { status: 302, location: '/accounts/deactivated/' }, address)
  }
  t.match((await page.get('/accounts/deactivated/')).text, 'This organization is deactivated')
  const sent = await mails()
  t.same(sent.map(({ to }) => to).sort(), [owner.email, coOwner.email].sort())
  t.match(sent[0]?.text, `${owner.full_name} has deactivated`)
  t.match(sent[0]?.text, 'stay on the server')
  const [entry] = await sql`select actor_id, after from audit_log where event = 'realm/deactivated'`
  t.same(entry, { actor_id: owner.id, after: { is_active: false, deletion_due: null } })
})

t.test('spectators are refused, too', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const narrow = JSON.stringify([{ operator: 'channels', operand: 'web-public' }])
  const query = { narrow, anchor: 'newest', num_before: 1, num_after: 0 }
  t.equal((await server.api(null).get('/messages', query)).status, 401)
  t.match(await server.api(null).get('/server_settings'), { body: { realm_web_public_access_enabled: false } })
})

t.test('owners activate it again by a mailed link, once; keys and channels are as before', async t => {
  const offered = await offerReactivation(ctx)
  const link = new URL(offered?.link ?? '').pathname
  t.match(link, /^\/reactivate\/[a-z2-7]{24}$/)
  t.equal(offered?.mailed, 2)
  for (const { text } of await mails()) t.match(text, link)
  t.match(await page.get(link), { status: 200, text: /<form method="post">/ })
  t.match(await page.get(link, { 'Accept-Language': 'de' }), { text: /Aktivieren/ })
  t.equal((await page.post(link, {}, { Origin: 'https://evil.example' })).status, 403)
  t.equal((await member.get('/users/me')).status, 401, 'neither a look nor a foreign form activates')
  for (const wrong of ['/reactivate/aaaaaaaaaaaaaaaaaaaaaaaa', '/reactivate/x', `${link}x`]) {
    t.equal((await page.get(wrong)).status, 404, wrong)
    t.equal((await page.post(wrong, {})).status, 404, wrong)
  }
  const answers = await Promise.all([page.post(link, {}), page.post(link, {})])
  t.same(answers.map(({ status }) => status).sort(), [302, 404], 'of two at once one is right')
  t.equal((await page.get(link)).status, 404, 'the link was used')
  for (const who of [member, second.api(member.who)]) t.equal((await who.get('/users/me')).status, 200)
  t.equal(await offerReactivation(ctx), undefined, 'an active organization needs no link')
})

t.test('a sign-in that was under way begins no session after the organization has returned', async t => {
  const under = { method: 'password', address: '127.0.0.1', userAgent: '' }
  const since = ctx.directory.version
  await owner.ok('POST', path)
  await reopen()
  await ctx.directory.fresh()
  const refused = { code: 'AUTHENTICATION_FAILED' }
  await t.rejects(beginSession(ctx, member, { ...under, since }), refused)
  t.match(await beginSession(ctx, member, { ...under, since: ctx.directory.version }), [/^sessionid=/, String])
  await mails()
})

t.test('a link is good for a day', async t => {
  await owner.ok('POST', path, { deletion_delay_days: null })
  const offered = await offerReactivation(ctx)
  await sql`update confirmations set expires = now() where purpose = 'reactivation'`
  t.equal((await page.post(new URL(offered?.link ?? '').pathname, {})).status, 404)
  await reopen()
})

t.test('of two owners one deactivates, and the mails are sent once', async t => {
  await mails()
  const answers = await Promise.all([owner.post(path), second.api(coOwner.who).post(path)])
  t.same(answers.map(({ status }) => status).sort(), [200, 401])
  t.equal((await mails()).length, 2)
  await reopen()
})

t.test('each message that is sent meanwhile is either stored or refused', async t => {
  const sends = Array.from({ length: 60 }, (_, i) =>
    (i % 2 ? member : second.api(member.who)).post('/messages', {
      type: 'direct',
      to: [owner.id],
      content: `meanwhile ${i}`,
    }),
  )
  const [closed, ...answers] = await Promise.all([owner.post(path), ...sends])
  t.equal(closed.status, 200)
  const [stored] = await sql`select count(*)::int as count from messages where content like 'meanwhile %'`
  t.equal(answers.filter(({ status }) => status === 200).length, stored?.count)
  for (const { status } of answers.filter(({ status }) => status !== 200)) t.equal(status, 401)
  t.equal((await member.post('/messages', { type: 'direct', to: [owner.id], content: 'late' })).status, 401)
  await reopen()
})

t.test('where a mail cannot be stored nothing is done', async t => {
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`
  await sql`create trigger refuse before insert on jobs for each row when (new.kind = 'mail') execute function refuse()`
  const browser = await new Browser(server.url).signIn(member)
  t.equal((await owner.post(path)).status, 500)
  await sql`drop trigger refuse on jobs`
  t.equal((await member.get('/users/me')).status, 200)
  t.equal((await browser.json('GET', '/users/me')).status, 200)
})

t.test('the data are deleted when the time has come, unless the organization was activated before', async t => {
  await mails()
  const file = await upload(server.url, member, { name: 'a.txt', bytes: 'secret', type: 'text/plain' })
  await member.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: `[a](${file})` })
  await owner.ok('POST', '/user_groups/create', { name: 'crew', description: '', members: [member.id] })
  await owner.ok('POST', path, { deletion_delay_days: 14 })
  t.match((await mails())[0]?.text, /On \d+ \w+ \d{4} all its messages, files and accounts are deleted/)
  await deleteOrganizationIfDue(ctx)
  await reopen()
  await sql`update organization set deletion_due = now() - interval '1 day'`
  await deleteOrganizationIfDue(ctx)
  t.equal((await member.get('/users/me')).status, 200, 'an active organization is never deleted')
  await owner.ok('POST', path, { deletion_delay_days: 14 })
  await sql`update organization set deletion_due = now() - interval '1 second'`
  const key = file.slice('/user_uploads/'.length)
  t.ok(await ctx.storage.sizeOf(key))
  await deleteOrganizationIfDue(ctx)
  await deleteOrganizationIfDue(ctx)
  while ((await removeBytes(ctx)) > 0);
  t.equal(await ctx.storage.sizeOf(key), undefined, 'the bytes of files are gone')
  const left: Record<string, number> = {}
  for (const { name } of await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`) {
    const [row] = await sql`select count(*)::int as count from ${sql(name)}`
    if (row?.count > 0) left[name] = row?.count
  }
  const { audit_log, jobs, migrations, user_groups, user_group_subgroups, ...single } = left
  t.equal(audit_log, 1, 'that it was deleted')
  const rows = { organization: 1, organization_lists: 1, linkifier_list: 1, lists_version: 1 }
  t.same(single, { ...rows, channel_traffic_counted: 1, upload_space: 1 })
  t.same(await sql`select from jobs where not is_periodic`, [])
  t.same(await sql`select from user_groups where not is_system_group`, [])
  t.match(await sql`select name, settings, is_active from organization`, [{ settings: {}, is_active: false }])
  t.equal(await offerReactivation(ctx), undefined, 'nothing can be activated again')
  t.match(await page.get('/login/'), { status: 302, location: '/accounts/deactivated/' })
})
