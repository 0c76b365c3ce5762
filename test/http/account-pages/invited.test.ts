import t from 'tap'
import { newLinkKey } from '../../../server/actions/accounts/new-secrets.js'
import {
  type InvitationTerms,
  insertInvitationLink,
  insertInvitations,
  removeInvitation,
} from '../../../server/store/accounts/invitations.js'
import { createChannel } from '../../api/users/scene.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import { deactivate, groupId, setChannel, setOrganization, setUser } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
const inviter = await server.person({ role: 200 })
const browser = new PageClient(server.url)
const mails = newMails(sql, server.config.dataDir)
const password = 'seven tall wooden boats'

const terms = (more: Partial<InvitationTerms> = {}): InvitationTerms => ({
  inviter_id: inviter.id,
  role: 400,
  created: new Date(),
  expires: new Date(Date.now() + 86_400_000),
  channel_ids: [],
  group_ids: [],
  with_default_channels: false,
  notifies_inviter: false,
  welcome_text: null,
  ...more,
})
async function invited(email: string, more: Partial<InvitationTerms> = {}): Promise<string> {
  const key = newLinkKey()
  await sql.begin(tx => insertInvitations(tx, [{ email, key }], terms(more), null))
  return key
}
async function link(more: Partial<InvitationTerms> = {}): Promise<string> {
  const key = newLinkKey()
  await sql.begin(tx => insertInvitationLink(tx, key, terms(more)))
  return key
}
let made = 0
const fresh = () => `invited${++made}@team.example`
const finish = (key: string, full_name = `Person ${key.slice(0, 6)}`) =>
  browser.post('/accounts/register/', { key, full_name, password })
async function throughLink(key: string, email = fresh()): Promise<string> {
  t.match(await browser.post(`/join/${key}/`, { email }), { status: 302 })
  return /do_confirm\/([a-z2-7]{24})/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? ''
}
const accountOf = async (email: string): Promise<Loose | undefined> =>
  (await sql`select * from users where delivery_email = ${email}`)[0]
const settled = () => until(async () => (await sql`select from jobs where kind = 'notice'`).length === 0)

t.test('an invitation by mail: role, channels, groups, welcome, and a notice for the inviter', async t => {
  const hidden = await createChannel(sql, 'hidden', [inviter.id])
  await setChannel(sql, hidden, { invite_only: true })
  const { group_id: crew } = await inviter.ok('POST', '/user_groups/create', {
    name: 'crew',
    description: '',
    members: [],
  })
  const email = fresh()
  const key = await invited(email, {
    role: 300,
    channel_ids: [hidden],
    group_ids: [crew, await groupId(sql, 'role:owners'), 99_999],
    notifies_inviter: true,
    welcome_text: 'Welcome *aboard*',
  })
  const others = [await invited(email.toUpperCase(), { inviter_id: owner.id }), await invited(email)]
  const other = await server.person()
  const [ear, member] = [await Listener.start(ctx, inviter), await Listener.start(ctx, other)]
  t.match((await browser.get(`/accounts/do_confirm/${key}`)).text, email)
  t.match(await finish(key), { status: 302, location: '/' })
  await settled()
  const account = await accountOf(email)
  t.match(account, { role: 300, is_active: true })
  t.same(
    (await sql`select channel_id from subscriptions where user_id = ${account?.id}`).map(row => row.channel_id),
    [hidden],
  )
  t.same(
    (await sql`select group_id from user_group_members where user_id = ${account?.id}`).map(row => row.group_id),
    [crew],
  )
  const said = (await sql<{ content: string }[]>`select content from messages order by id`).map(row => row.content)
  // Messages to different people come in any order.
  t.match(said.toSorted(), [/accepted your invitation/, /Hello, and welcome/, 'Welcome *aboard*'])
  t.ok(said.indexOf('Welcome *aboard*') > said.findIndex(content => content.startsWith('Hello')))
  for (const one of [key, ...others]) t.equal((await finish(one)).status, 404, 'all of the address are used up')
  const types = (await ear.inStep(t)).map(event => event.type)
  t.same(types.filter(type => type === 'invites_changed').length, 1)
  t.ok(types.indexOf('realm_user') < types.indexOf('subscription'), 'the account comes before its subscriptions')
  t.notOk((await member.inStep(t)).some(event => event.type === 'invites_changed'))
})

t.test('an invitation lets in where people need one, also a person who did not come through it', async t => {
  const email = fresh()
  await invited(email, { role: 600 })
  await setOrganization(sql, { invite_required: false })
  await browser.post('/register/', { email: email.toUpperCase() })
  const [mail] = await mails()
  const key = /do_confirm\/([a-z2-7]{24})/.exec(mail?.text ?? '')?.[1] ?? ''
  await setOrganization(sql, { invite_required: true })
  t.equal((await finish(key)).status, 302)
  t.match(await accountOf(email.toUpperCase()), { role: 600 })
})

t.test('a link lets any number of people in, without a notice', async t => {
  const key = await link({ role: 600, notifies_inviter: true })
  t.match((await browser.get(`/join/${key}/`)).text, /You are invited to join/)
  const before = (await sql`select from messages`).length
  for (const email of [fresh(), fresh()]) {
    t.equal((await finish(await throughLink(key, email))).status, 302)
    t.match(await accountOf(email), { role: 600 })
  }
  await settled()
  t.equal((await sql`select from messages where content like '%accepted your%'`).length, 1, 'the one of the first test')
  t.ok((await sql`select from messages`).length > before, 'greetings')
  t.equal((await finish(key)).status, 404, 'the key of a link makes no account')
  t.equal((await browser.get(`/accounts/do_confirm/${key}`)).status, 404)
})

t.test('a link that was revoked or has expired: 404, or the page without it in an open organization', async t => {
  const [gone, expired, used] = [await link(), await link({ expires: new Date(Date.now() - 1000) }), await link()]
  await sql.begin(tx => removeInvitation(tx, gone))
  const key = await throughLink(used)
  await sql.begin(tx => removeInvitation(tx, used))
  const mailed = await invited(fresh())
  const paths = [gone, expired, used, mailed, 'a'.repeat(24), 'x', "'"]
  for (const path of paths) {
    t.equal((await browser.get(`/join/${path}/`)).status, 404, path)
    t.equal((await browser.post(`/join/${path}/`, { email: fresh() })).status, 404, path)
  }
  t.equal((await finish(key)).status, 404, 'of a person who came through it')
  t.equal((await mails()).length, 0)
  await setOrganization(sql, { invite_required: false })
  for (const path of paths) t.match(await browser.get(`/join/${path}/`), { status: 200, text: /action="\/register\/"/ })
  t.equal((await finish(key)).status, 302)
  await setOrganization(sql, { invite_required: true })
})

t.test('the rules for addresses hold for invited people, too', async t => {
  const [email, through] = [fresh(), await throughLink(await link())]
  const key = await invited(email)
  await sql.begin(async tx => {
    await tx`insert into allowed_domains (domain, allow_subdomains) values ('other.example', false)`
    await tx`update organization_lists set version = (select version + 1 from organization)`
    await tx`update organization set version = version + 1`
  })
  await setOrganization(sql, { emails_restricted_to_domains: true })
  for (const one of [key, through]) t.equal((await finish(one)).status, 400)
  t.match(await browser.post(`/join/${await link()}/`, { email: fresh() }), { status: 200, text: /role="alert"/ })
  await setOrganization(sql, { emails_restricted_to_domains: false })
  for (const one of [key, through]) t.equal((await finish(one)).status, 302)
})

t.test('what the inviter could not give any more is not given', async t => {
  const former = await server.person({ role: 100 })
  const secret = await createChannel(sql, 'secret', [former.id])
  await setChannel(sql, secret, { invite_only: true })
  const keys = await Promise.all([100, 200, 300].map(role => invited(fresh(), { inviter_id: former.id, role })))
  const through = await throughLink(await link({ inviter_id: former.id, role: 200 }))
  const email = fresh()
  const plain = await invited(email, { inviter_id: former.id, channel_ids: [secret] })
  await setUser(sql, former.id, { role: 400 })
  await sql`update subscriptions set is_active = false where user_id = ${former.id}`
  await sql`update channels set subscribers_version = subscribers_version + 1 where id = ${secret}`
  for (const key of [...keys, through]) t.equal((await finish(key)).status, 404)
  t.equal((await finish(plain)).status, 302)
  const { id } = (await accountOf(email)) ?? {}
  t.equal((await sql`select from subscriptions where user_id = ${id}`).length, 0)
  await setUser(sql, former.id, { role: 200 })
  const late = await invited(fresh(), { inviter_id: former.id })
  t.equal((await finish(keys[0] as string)).status, 404, 'an owner')
  t.equal((await finish(keys[1] as string)).status, 302, 'the role came back')
  await deactivate(sql, former.id)
  t.equal((await finish(late)).status, 404)
})

t.test('one invitation accepted many times at once makes one account and one notice', async t => {
  const email = fresh()
  const key = await invited(email, { notifies_inviter: true })
  const second = await startServer(t, {}, server.organization)
  const other = new PageClient(second.url)
  const post = (client: PageClient, i: number) =>
    client.post('/accounts/register/', { key, full_name: `Racer ${i}`, password })
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(i => post(i % 2 ? browser : other, i)))
  t.same(answers.map(({ status }) => status).sort(), [302, 404, 404, 404, 404, 404])
  await settled()
  const { id } = (await accountOf(email)) ?? {}
  const notices = await sql`select content from messages where content like ${`%|${id}**%accepted%`}`
  t.equal(notices.length, 1)
  t.equal(
    (
      await sql`select from messages m join conversations c on c.id = m.conversation_id
    where ${id}::int = any(c.user_ids) and content like 'Hello%'`
    ).length,
    1,
  )
})
