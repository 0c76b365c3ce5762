import t from 'tap'
import { Browser, givePassword } from '../../support/browser.js'
import { newMails } from '../../support/mails.js'
import { deactivate, setOrganization } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const mails = newMails(sql, server.config.dataDir)
const [owner, administrator, ann] = [
  await server.person({ role: 100 }),
  await server.person({ role: 200 }),
  await server.person(),
]
await givePassword(sql, owner, administrator, ann)
const signedIn = (person: Person) => new Browser(server.url).signIn(person)
const isIn = async (browser: Browser) => (await browser.json('GET', '/users/me')).status === 200
const linkIn = (text = '') => /\/accounts\/password\/reset\/\d+\/[a-z2-7]{24}\//.exec(text)?.[0] ?? ''

t.test('administrators alone change how others sign in, owners alone how owners do', async t => {
  const full = await server.person({ date_joined: new Date(0) })
  const callers: [string, Person | null, number, string?][] = [
    ['owner', owner, 200],
    ['administrator', administrator, 200],
    ['moderator', await server.person({ role: 300 }), 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['full member', full, 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['new member', await server.person(), 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['guest', await server.person({ role: 600 }), 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['bot', await server.person({ bot_type: 1, bot_owner_id: full.id }), 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['deactivated', await server.person({ is_active: false }), 401],
    ['none', null, 401],
  ]
  for (const [name, caller, status, code] of callers) {
    const api = caller ?? server.api(null)
    const answers = [await api.delete(`/users/${ann.id}/sessions`), await api.post(`/users/${ann.id}/password_reset`)]
    t.match(answers, Array(2).fill({ status, body: code ? { code } : {} }), name)
  }
  const refused = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' } }
  t.match(await administrator.delete(`/users/${owner.id}/sessions`), refused)
  t.match(await administrator.post(`/users/${owner.id}/password_reset`), refused)
  await owner.ok('POST', `/users/${owner.id}/password_reset`)
  await mails()
})

t.test('only active people have sessions to end and passwords to set', async t => {
  const gone = await server.person()
  await deactivate(sql, gone.id)
  const bot = await server.person({ bot_type: 1, bot_owner_id: ann.id })
  for (const id of [gone.id, bot.id, 999_999]) {
    t.match(await owner.delete(`/users/${id}/sessions`), { status: 400, body: { code: 'BAD_REQUEST' } })
    t.match(await owner.post(`/users/${id}/password_reset`), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  for (const wrong of ['x', '-1', '99999999999999999999']) {
    t.match(await owner.delete(`/users/${wrong}/sessions`), { status: /^40[045]$/ }, wrong)
    t.match(await owner.post(`/users/${wrong}/password_reset`), { status: /^40[045]$/ }, wrong)
  }
})

t.test('all sessions of the person end; its key stays', async t => {
  const [first, second, other] = [await signedIn(ann), await signedIn(ann), await signedIn(administrator)]
  await administrator.ok('DELETE', `/users/${ann.id}/sessions`)
  t.same(await Promise.all([isIn(first), isIn(second), isIn(other)]), [false, false, true])
  t.match(await ann.get('/users/me'), { status: 200 })
  await administrator.ok('DELETE', `/users/${ann.id}/sessions`)
  const entries = await sql`select actor_id, subject, after from audit_log where operation = 'end_sessions_of_user'`
  t.match(entries, [{ actor_id: administrator.id, subject: { user_id: ann.id }, after: { sessions: 'ended' } }])
})

t.test('without a mail server the administrator sees the link, which sets a password once', async t => {
  const { link } = await administrator.ok('POST', `/users/${ann.id}/password_reset`)
  const [mail] = await mails()
  t.equal(mail?.to, ann.email)
  t.equal(linkIn(mail?.text), linkIn(link))
  t.ok(await isIn(await signedIn(ann)), 'until then the password stays')
  const page = new PageClient(server.url)
  const { location, cookies } = await page.get(linkIn(link))
  const Cookie = String(cookies[0]?.split(';')[0])
  const form = { new_password1: 'seven tall wooden boats', new_password2: 'seven tall wooden boats' }
  t.match(await page.post(String(location), form, { Cookie }), { location: '/accounts/password/done/' })
  t.match(await page.post(String(location), form, { Cookie }), { status: 404 })
  const [entry] = await sql`select * from audit_log where operation = 'send_password_reset' order by id desc limit 1`
  t.match(entry, { actor_id: administrator.id, subject: { user_id: ann.id }, after: { password_link: 'sent' } })
  t.notMatch(JSON.stringify(entry), /[a-z2-7]{24}/, 'no key in the audit log')
})

t.test('a link ends with the role that the person had', async t => {
  const bob = await server.person()
  await givePassword(sql, bob)
  const { link } = await administrator.ok('POST', `/users/${bob.id}/password_reset`)
  await mails()
  await owner.ok('PATCH', `/users/${bob.id}`, { role: 100 })
  t.match(await new PageClient(server.url).get(linkIn(link)), { status: 404 })
})

t.test('not where people have no passwords here', async t => {
  await setOrganization(sql, { authentication_methods: { Email: { enabled: false, available: true } } })
  t.match(await owner.post(`/users/${ann.id}/password_reset`), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same(await mails(), [])
})

t.test('with a mail server the link is in the mail alone', async t => {
  const mailing = await startServer(t, { SMTP_URL: 'smtp://127.0.0.1:9' })
  const [admin, bob] = [await mailing.person({ role: 200 }), await mailing.person()]
  t.match(await admin.ok('POST', `/users/${bob.id}/password_reset`), { link: null })
})
