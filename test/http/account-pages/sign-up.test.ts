import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import { changeDirectory, deactivate, setOrganization } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100, full_name: 'Olga Owner' })
const browser = new PageClient(server.url)
const mails = newMails(sql, server.config.dataDir)
const password = 'seven tall wooden boats'
await setOrganization(sql, { invite_required: false })

const keyOf = (text: string): string => /do_confirm\/([a-z2-7]{24})\b/.exec(text)?.[1] ?? ''
/** Asks for an account, and returns the key of the mail. */
async function asked(email: string, path = '/register/'): Promise<string> {
  const answer = await browser.post(path, { email })
  t.match(answer, { status: 302, location: `/accounts/send_confirm/?email=${encodeURIComponent(email)}` }, email)
  const found = (await mails()).filter(mail => mail.to === email)
  return keyOf(found.at(-1)?.text ?? '')
}
const finish = (key: string, more: Record<string, string | string[]> = {}) =>
  browser.post('/accounts/register/', { key, full_name: `Person ${key.slice(0, 6)}`, password, ...more })
const counts = () =>
  sql`select (select count(*) from users)::int as users, (select count(*) from jobs where kind = 'mail')::int as mails`
const accountOf = async (email: string): Promise<Loose | undefined> =>
  (await sql`select * from users where lower(delivery_email) = lower(${email})`)[0]
let made = 0
const fresh = () => `fresh${++made}@new.example`

t.test('a person signs up: address, mail, form, account', async t => {
  const page = await browser.get('/register/')
  t.match(page.text, /<input class="input" type="email" name="email"/)
  const key = await asked('Ada.New@new.example')
  t.match(key, /^[a-z2-7]{24}$/)
  t.match((await browser.get('/accounts/send_confirm/?email=a%40b.example')).text, 'a@b.example')
  const form = await browser.get(`/accounts/do_confirm/${key}`)
  t.match(form.text, new RegExp(`name="key" value="${key}"`))
  t.match(form.text, 'Ada.New@new.example')
  t.equal((await browser.get(`/accounts/do_confirm/${key}/`)).status, 200, 'looking does not use the key up')
  t.equal((await browser.post('/accounts/register/', { key, from_confirmation: '1' })).status, 200)
  const ear = await Listener.start(ctx, owner)
  const done = await finish(key, {
    full_name: ' Ada   New ',
    timezone: 'Europe/Berlin',
    email_address_visibility: '3',
  })
  t.match(done, { status: 302, location: '/' })
  const [session] = await sql`select method, user_id from sessions`
  t.match(session, { method: 'password', user_id: (await accountOf('ada.new@new.example'))?.id })
  const [cookie] = done.cookies
  t.match(cookie, /HttpOnly/)
  const Cookie = cookie?.split(';')[0] ?? ''
  t.match(await browser.get('/login/', { Cookie }), { status: 302, location: '/' }, 'signed in')
  t.match(await accountOf('ada.new@new.example'), {
    full_name: 'Ada New',
    role: 400,
    timezone: 'Europe/Berlin',
    email_address_visibility: 3,
    is_active: true,
  })
  const { api_key } = await server.api(null).ok('POST', '/fetch_api_key', { username: 'ada.new@new.example', password })
  t.match(api_key, /^\w{32}$/)
  t.match(await ear.inStep(t), [{ type: 'realm_user', op: 'add' }, { type: 'user_group' }])
  const [entry] = await sql`select * from audit_log order by id desc limit 1`
  t.match(entry, { operation: 'register', actor_id: null })
})

t.test('keys that open nothing all get the same page', async t => {
  const used = await asked(fresh())
  t.equal((await finish(used)).status, 302)
  const expired = await asked(fresh())
  await sql`update confirmations set expires = now() - interval '1 s'`
  const pages = []
  for (const key of [used, expired, 'a'.repeat(24), 'a'.repeat(23), 'A'.repeat(24), "'", '%00', 'ä']) {
    pages.push(await browser.get(`/accounts/do_confirm/${key}`), await finish(key))
  }
  for (const page of pages) t.match(page, { status: 404, text: pages[0]?.text })
})

t.test('one key posted many times at once makes one account', async t => {
  const email = fresh()
  const key = await asked(email)
  const answers = await Promise.all([1, 2, 3, 4].map(() => finish(key)))
  t.same(answers.map(answer => answer.status).sort(), [302, 404, 404, 404])
  const twice = fresh()
  const keys = [await asked(twice), await asked(twice)]
  const both = await Promise.all(keys.map(one => finish(one)))
  t.same(both.map(answer => answer.status).sort(), [302, 404], 'two keys of one address')
  t.equal((await sql`select from users where delivery_email = any(${[email, twice]})`).length, 2)
})

t.test('an address that got an account meanwhile leads to signing in', async t => {
  const email = fresh()
  const key = await asked(email)
  await server.person({ email: email.toUpperCase() })
  t.match(await finish(key), {
    status: 302,
    location: `/login/?email=${encodeURIComponent(email)}&already_registered=1`,
  })
})

t.test('the answer is the same whether the address has an account, open, deactivated or none', async t => {
  const known = await server.person({ email: 'known@new.example' })
  const left = await server.person({ email: 'left@new.example' })
  await deactivate(sql, left.id)
  const answers = []
  for (const email of ['Known@new.example', 'left@new.example', 'none1@new.example']) {
    const answer = await browser.post('/register/', { email })
    const cookies = answer.cookies.map(cookie => cookie.replace(/=[0-9a-f]+/, ''))
    answers.push({ ...answer, cookies, location: answer.location?.replace(encodeURIComponent(email), '') })
  }
  t.same(answers[0], answers[2])
  t.same(answers[1], answers[2])
  const sent = await mails()
  const to = (email: string) => sent.find(mail => mail.to === email)
  t.match(to(known.email)?.text, /has an account already/)
  t.match(to(left.email)?.text, /deactivated/)
  for (const email of [known.email, left.email]) t.equal(keyOf(to(email)?.source ?? ''), '')
  t.match(keyOf(to('none1@new.example')?.text ?? ''), /^[a-z2-7]{24}$/)
  t.equal((await sql`select from confirmations where address is null`).length, 2, 'rows of which no mail has a key')
})

t.test('bad addresses, and what could begin another header', async t => {
  const before = await counts()
  const bad = [
    '',
    'x',
    'a@b@c',
    'a b@c.example',
    `${'a'.repeat(250)}@b.example`,
    'a\r\nBcc: x@y.example@b.example',
    'a\0@b.example',
  ]
  bad.push('a@b.example\nSubject: x', 'A <a@b.example>', 'a@b.example, c@d.example', 'bot@system.invalid')
  for (const email of bad) {
    const page = await browser.post('/register/', { email })
    t.match(page, { status: 200, text: /role="alert"/ }, JSON.stringify(email))
  }
  t.same(await counts(), before)
  t.equal((await browser.post('/register/', { email: 'a@b.example' }, { Origin: 'https://evil.example' })).status, 403)
  t.equal((await browser.post('/accounts/register/', { key: 'a'.repeat(24) }, { Origin: 'null' })).status, 403)
})

t.test('a weak password or a bad name shows the form again, and the key stays good', async t => {
  const email = fresh()
  const key = await asked(email)
  const bad: Record<string, string>[] = [
    { password: '' },
    { password: 'short' },
    { password: 'password' },
    { password: email },
    { password: 'x'.repeat(101) },
    { full_name: '' },
    { full_name: 'X' },
    { full_name: 'x'.repeat(101) },
    { full_name: '**bold**' },
    { full_name: 'a@b' },
    { full_name: 'Olga Owner' },
    { full_name: 'OLGA 0WNER' },
    { full_name: 'Welcome Bot' },
  ]
  for (const more of bad) {
    t.match(await finish(key, more), { status: 200, text: /role="alert"/ }, JSON.stringify(more))
  }
  await setOrganization(sql, { require_unique_names: true })
  t.equal((await finish(key, { full_name: 'ada new' })).status, 200)
  await setOrganization(sql, { require_unique_names: false })
  t.notOk(await accountOf(email))
  t.equal((await finish(key)).status, 302)
})

t.test('who may join is decided by the organization, at the first and at the last step', async t => {
  const email = 'plain@free.example'
  const [open, plus] = [await asked(email), await asked('a+b@free.example')]
  await changeDirectory(sql, async (tx, version) => {
    await tx`insert into allowed_domains (domain, allow_subdomains) values ('team.example', false)`
    await tx`update organization_lists set version = ${version}`
  })
  await setOrganization(sql, { emails_restricted_to_domains: true })
  for (const refused of ['x@free.example', 'a+b@team.example', 'a@sub.team.example']) {
    t.match(await browser.post('/register/', { email: refused }), { status: 200, text: /role="alert"/ }, refused)
  }
  for (const key of [open, plus]) {
    t.equal((await finish(key)).status, 400)
    t.equal((await browser.get(`/accounts/do_confirm/${key}`)).status, 400)
  }
  t.notOk(await accountOf(email))
  await asked('someone@team.example')
  await setOrganization(sql, { emails_restricted_to_domains: false, invite_required: true })
  const closed = await browser.get('/register/')
  t.notMatch(closed.text, 'name="email"')
  t.match(await browser.post('/register/', { email: fresh() }), { status: 200, text: /invitation/ })
  t.equal((await mails()).length, 0)
  t.equal((await finish(open)).status, 400)
  await setOrganization(sql, { invite_required: false })
  t.equal((await finish(open)).status, 302)
})

t.test('a disposable address is refused at each way in', async t => {
  const address = 'a@mailinator.com'
  const key = await asked(address)
  await owner.ok('PATCH', '/realm', { disallow_disposable_email_addresses: true })
  t.match(await browser.post('/register/', { email: 'b@mailinator.com' }), { status: 200, text: /throw mails away/ })
  t.equal((await finish(key)).status, 400, 'at the last step')
  const { body } = await owner.post('/invites', {
    invitee_emails: `${address}, ${fresh()}`,
    invite_as: 400,
    stream_ids: [],
  })
  t.match(body, {
    code: 'INVITATION_FAILED',
    sent_invitations: false,
    errors: [[address, 'Please use your real email address.', false]],
  })
  t.equal((await owner.patch('/settings', { email: address })).status, 400, 'a new address')
  t.match(await mails(), [])
  await owner.ok('PATCH', '/realm', { disallow_disposable_email_addresses: false })
  t.equal((await finish(key)).status, 302)
})

t.test('two mails in an hour for an address, for all workers, and then the page says to wait', async t => {
  const email = 'often@new.example'
  await browser.post('/register/', { email })
  await browser.post('/accounts/home/', { email: 'OFTEN@new.example' })
  t.match(await browser.post('/register/', { email }), { status: 429, text: /wait/i })
  t.equal((await mails()).length, 2)
  const limited = await startServer(t, { ACCOUNT_MAIL_LIMIT_ADDRESS: '3' }, server.organization)
  const client = new PageClient(limited.url)
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await client.post('/register/', { email: fresh() })).status)
  t.same(statuses, [302, 302, 302, 429])
})

t.test('groups of default channels are offered, and joined', async t => {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engines' }, { name: 'design' }] })
  await owner.ok('POST', '/default_stream_groups/create', {
    group_name: 'Builders',
    description: 'for <b>builders</b>',
    stream_names: ['engines'],
  })
  const email = fresh()
  const key = await asked(email)
  t.match((await browser.get(`/accounts/do_confirm/${key}`)).text, /value="Builders"[\s\S]*for &lt;b&gt;builders/)
  const again = await finish(key, { password: 'x', default_stream_group: ['Builders'] })
  t.match(again.text, 'value="Builders" checked')
  t.equal((await finish(key, { default_stream_group: ['Builders', 'Nothing'] })).status, 302)
  const names = await sql`
    select channels.name from subscriptions join channels on channels.id = channel_id
    where user_id = ${(await accountOf(email))?.id}`
  t.same(
    names.map(row => row.name),
    ['engines'],
  )
})

t.test(
  'without passwords an account has none; in German; and a deactivated organization takes no person in',
  async t => {
    const email = fresh()
    const german = new PageClient(server.url, { 'Accept-Language': 'de-AT' })
    t.match((await german.post('/register/', { email })).status, 302)
    const [mail] = await mails()
    t.match(mail?.subject, 'Schließe die Registrierung')
    const key = keyOf(mail?.text ?? '')
    await setOrganization(sql, { authentication_methods: { Email: { enabled: false, available: true } } })
    t.notMatch((await german.get(`/accounts/do_confirm/${key}`)).text, 'name="password"')
    t.equal((await german.post('/accounts/register/', { key, full_name: 'Ohne Passwort' })).status, 302)
    t.match(await accountOf(email), {
      password_hash: null,
      settings: { default_language: 'de', twenty_four_hour_time: true },
    })
    await setOrganization(sql, { authentication_methods: { Email: { enabled: true, available: true } } })
    const late = await asked(fresh())
    await changeDirectory(sql, tx => tx`update organization set is_active = false`)
    t.match(await finish(late), { status: 302, location: '/accounts/deactivated/' })
    await changeDirectory(sql, tx => tx`update organization set is_active = true`)
    await until(async () => (await finish(late)).status === 302)
  },
)
