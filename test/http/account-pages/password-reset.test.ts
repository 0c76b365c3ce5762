import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { newMails } from '../../support/mails.js'
import { deactivate, setOrganization, setUser } from '../../support/organization.js'
import { type Page, PageClient } from '../../support/page-client.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const browser = new PageClient(server.url)
const mails = newMails(sql, server.config.dataDir)
const place = '/accounts/password/reset/'
const password = 'seven tall wooden boats'
const other = 'eight small iron bridges'

const linkOf = (text: string): string => /\/accounts\/password\/reset\/\d+\/[a-z2-7]{24}\//.exec(text)?.[0] ?? ''
async function requested(email: string): Promise<string> {
  t.match(await browser.post(place, { email }), { status: 302, location: `${place}done/` }, email)
  return linkOf((await mails()).at(-1)?.text ?? '')
}
/** What a browser sends at the form: the cookie that the link set. */
async function opened(link: string): Promise<{ path: string; Cookie: string }> {
  const page = await browser.get(link)
  t.equal(page.status, 302)
  t.notMatch(page.location ?? '', link.split('/').at(-2), 'the key is not in the address of the form')
  t.match(
    page.cookies[0],
    /^password_key=[a-z2-7]{24}; Path=\/accounts\/password\/reset\/\d+\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
  )
  return { path: page.location ?? '', Cookie: page.cookies[0]?.split(';')[0] ?? '' }
}
const set = ({ path, Cookie }: { path: string; Cookie: string }, first = password, second = first): Promise<Page> =>
  browser.post(path, { new_password1: first, new_password2: second }, { Cookie })
const signIn = async ({ email }: Person, tried: string) =>
  (await server.api(null).post('/fetch_api_key', { username: email, password: tried })).status

t.test('a person without a password gets one by the link of a mail, once', async t => {
  const person = await server.person()
  const link = await requested(` ${person.email.toUpperCase()} `)
  t.match(link, `${place}${person.id}/`)
  t.match((await browser.get(`${place}done/`)).text, 'If the address has an account here')
  const form = await opened(link)
  t.match((await browser.get(form.path, form)).text, /name="new_password1"/)
  t.equal((await browser.get(link)).status, 302, 'looking does not use the link up')
  for (const [first, second] of [
    ['', ''],
    ['short', 'short'],
    ['password1', 'password1'],
    [person.email, person.email],
    [password, other],
    ['x'.repeat(101), 'x'.repeat(101)],
  ] as const) {
    t.match(await set(form, first, second), { status: 200, text: /notice bad/ }, first.slice(0, 10))
  }
  const done = await set(form)
  t.match(done, { status: 302, location: '/accounts/password/done/' })
  t.match(done.cookies[0], /^password_key=; .*Max-Age=0/)
  t.equal((await browser.get('/accounts/password/done/')).status, 200)
  t.equal(await signIn(person, password), 200)
  const [entry] = await sql`select * from audit_log order by id desc limit 1`
  t.match(entry, { event: 'password_change', operation: 'new_password', subject: { user_id: person.id } })
  for (const page of [await browser.get(link), await browser.get(form.path, form), await set(form, other)]) {
    t.match(page, { status: 404 })
    t.notMatch(page.text, 'new_password1')
  }
  t.equal(await signIn(person, other), 401)
})

t.test('a link in the former mailbox opens nothing when the account has another address', async t => {
  const person = await server.person()
  const link = await requested(person.email)
  const form = await opened(link)
  await setUser(sql, person.id, { delivery_email: 'moved@test.example' })
  t.match(await browser.get(link), { status: 404 })
  t.match(await set(form), { status: 404 })
  t.equal((await server.api(null).post('/fetch_api_key', { username: 'moved@test.example', password })).status, 401)
})

t.test('a new password ends the sessions of the account', async t => {
  const person = await server.person()
  await set(await opened(await requested(person.email)))
  const { cookies } = await browser.post('/login/', { username: person.email, password })
  const Cookie = cookies[0]?.split(';')[0] ?? ''
  t.equal((await browser.get('/login/', { Cookie })).status, 302, 'signed in')
  await set(await opened(await requested(person.email)), other)
  t.equal((await browser.get('/login/', { Cookie })).status, 200)
  t.equal(await signIn(person, other), 200)
})

t.test('a link ends with another password, with another use, with time, and with the account', async t => {
  const ended = async (change: (person: Person) => Promise<unknown>) => {
    const person = await server.person()
    const [first, second] = [await requested(person.email), await requested(person.email)]
    t.equal((await browser.get(first)).status, 302)
    await change(person)
    for (const link of [first, second]) t.equal((await browser.get(link)).status, 404)
  }
  await ended(async ({ id }) => sql`update users set password_hash = ${await hashPassword(other)} where id = ${id}`)
  await ended(() => sql`update confirmations set expires = now()`)
  await ended(({ id }) => deactivate(sql, id))
  const person = await server.person()
  const [first, second] = [await requested(person.email), await requested(person.email)]
  const [one, two] = [await opened(first), await opened(second)]
  const answers = await Promise.all([set(one), set(one), set(two), set(two)])
  t.same(answers.map(({ status }) => status).sort(), [302, 404, 404, 404])
})

t.test('the answer is the same for all addresses; the mail says what there is', async t => {
  const known = await server.person()
  const left = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: known.id })
  await deactivate(sql, left.id)
  const answers = []
  for (const email of [
    known.email,
    left.email,
    bot.email,
    'nobody@test.example',
    'no address',
    'a@b.example\nBcc: c@d.example',
  ]) {
    answers.push(await browser.post(place, { email }))
  }
  for (const answer of answers) t.same(answer, answers[0])
  const sent = await mails()
  const textTo = (email: string) => sent.find(mail => mail.to === email)?.text ?? ''
  t.match(linkOf(textTo(known.email)), place)
  t.match(textTo(left.email), /deactivated/)
  t.match(textTo(bot.email), /no account of this address/)
  t.match(textTo('nobody@test.example'), /no account of this address/)
  t.equal(sent.length, 4)
})

t.test('keys of other people, other purposes and other forms open nothing', async t => {
  const [person, second] = [await server.person(), await server.person()]
  const link = await requested(person.email)
  const key = link.split('/').at(-2) ?? ''
  for (const path of [
    `${place}${second.id}/${key}/`,
    `${place}0${person.id}/${key}/`,
    `${place}99999999999/${key}/`,
    `${place}x/${key}/`,
    `${place}${person.id}/${'a'.repeat(24)}/`,
    `${place}${person.id}/set-password/`,
    `/accounts/do_confirm/${key}`,
    `/accounts/confirm_new_email/${key}`,
  ]) {
    t.equal((await browser.get(path)).status, 404, path)
  }
  const stolen = { path: `${place}${second.id}/set-password/`, Cookie: `password_key=${key}` }
  t.equal((await set(stolen)).status, 404)
  const foreign = { Origin: 'https://evil.example', Cookie: `password_key=${key}` }
  const forged = await browser.post(
    `${place}${person.id}/set-password/`,
    { new_password1: other, new_password2: other },
    foreign,
  )
  t.equal(forged.status, 403)
  t.equal(await signIn(person, other), 401)
})

t.test('two mails in an hour for an address; none where passwords are off', async t => {
  const person = await server.person()
  for (const email of [person.email, person.email.toUpperCase()]) await browser.post(place, { email })
  t.equal((await browser.post(place, { email: person.email })).status, 429)
  t.equal((await mails()).length, 2)
  const link = await requested((await server.person()).email)
  await setOrganization(sql, { authentication_methods: { Email: { enabled: false, available: true } } })
  t.equal((await browser.get(link)).status, 404)
  t.equal((await browser.post(place, { email: (await server.person()).email })).status, 302)
  t.equal((await mails()).length, 0)
})
