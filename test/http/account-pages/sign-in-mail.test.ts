import t from 'tap'
import { unsubscribeKey } from '../../../server/auth/unsubscribe-key.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { Listener } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import { PageClient } from '../../support/page-client.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const date_joined = new Date(Date.now() - 3_600_000)
const person = await server.person({ date_joined })
const other = await server.person({ date_joined })
const newcomer = await server.person()
await givePassword(sql, person, other, newcomer)
const mails = newMails(sql, server.config.dataDir)
const page = new PageClient(server.url)
const oneClick = { 'List-Unsubscribe': 'One-Click' }
const fetchKey = (email: string) => server.api(null).post('/fetch_api_key', { username: email, password })

t.test('a sign-in is mailed with its place and time, in the language of the reader', async t => {
  await new Browser(server.url).signIn(person)
  const [mail, ...more] = await mails()
  t.same(more, [])
  t.match(mail, { to: person.email, subject: /New sign-in to/, text: /Firefox, Linux[\s\S]*127\.0\.0\.1/ })
  t.match(mail?.text, /Time: .*\d{4}.*UTC/)
  t.match(mail?.source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  await person.ok('PATCH', '/settings', { default_language: 'de', timezone: 'Europe/Berlin' })
  t.equal((await fetchKey(person.email)).status, 200)
  t.match(await mails(), [{ subject: /Neue Anmeldung/, text: /Zeit: .*ME?S?Z/ }])
})

t.test('neither a new account nor a wrong password is mailed', async t => {
  t.equal((await fetchKey(newcomer.email)).status, 200)
  const wrong = { username: person.email, password: 'wrong' }
  t.equal((await server.api(null).post('/fetch_api_key', wrong)).status, 401)
  t.same(await mails(), [])
})

t.test('the link of a mail ends them, opened or sent as a form by a mail program', async t => {
  await fetchKey(other.email)
  const [mail] = await mails()
  const link = new URL(/^List-Unsubscribe: <(.*)>$/m.exec(mail?.source ?? '')?.[1] ?? '').pathname
  t.match(mail?.text, link, 'the reader sees the link, too')
  const key = link.split('/').at(-1) ?? ''
  for (const wrong of [`/login/${person.id}-${key.split('-')[1]}`, `/digest/${key}`, `/login/${key}0`, '/login/x']) {
    t.equal((await page.post(`/accounts/unsubscribe${wrong}`, oneClick)).status, 404, wrong)
  }
  for (const kind of ['marketing', 'welcome', 'constructor']) {
    t.equal((await page.get(`/accounts/unsubscribe/${kind}/${key}`)).status, 404, kind)
  }
  const ear = await Listener.start(server.ctx, other)
  const sent = await page.post(link, oneClick, { Origin: 'https://mail.example' })
  t.match(sent, { status: 200, text: /no more of these mails/ })
  t.match(await ear.inStep(t), [{ type: 'user_settings', property: 'enable_login_emails', value: false }])
  await fetchKey(other.email)
  t.same(await mails(), [])
  await other.ok('PATCH', '/settings', { enable_login_emails: true })
  t.match(await page.get(link, { 'Accept-Language': 'de' }), { status: 200, text: /nicht mehr/ })
  await fetchKey(other.email)
  t.same(await mails(), [], 'the key never expires')
})

t.test(
  'a link ends only the mails of its kind, for its account, and only where a program opens it or sends the form',
  async t => {
    const settings = { missed_messages: 'enable_offline_email_notifications', digest: 'enable_digest_emails' } as const
    for (const [kind, property] of Object.entries(settings)) {
      const [reader, stranger] = [await server.person(), await server.person()]
      const link = `/accounts/unsubscribe/${kind}/${unsubscribeKey(server.ctx.directory, kind as keyof typeof settings, reader.id)}`
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE']) await fetch(`${server.url}${link}`, { method })
      const [ear, other] = [await Listener.start(server.ctx, reader), await Listener.start(server.ctx, stranger)]
      t.equal((await page.post(link.replace(`/${reader.id}-`, `/${stranger.id}-`), oneClick)).status, 404)
      t.same(await ear.inStep(t), [], 'nothing has changed')
      t.equal((await page.post(link, oneClick, { Origin: 'https://mail.example' })).status, 200)
      t.match(await ear.inStep(t), [{ type: 'user_settings', property, value: false }])
      t.equal((await page.post(link, oneClick)).status, 200, 'again')
      t.same([...(await ear.inStep(t)), ...(await other.inStep(t))], [])
    }
  },
)
