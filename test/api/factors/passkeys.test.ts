import t from 'tap'
import { addApp, codeAt } from '../../support/authenticator.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { newMails } from '../../support/mails.js'
import { deactivate, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { type Deviation, SoftPasskey } from '../../support/soft-passkey.js'

const origin = 'http://localhost:9999'
const server = await startServer(t, { PUBLIC_URL: origin })
const { clock } = server.ctx
const mails = newMails(server.sql, server.config.dataDir)
const at = '/users/me/factors'
const alone = '/accounts/login/passkey/'
const after = '/accounts/login/factor/passkey/'

async function withPassword(): Promise<Person> {
  const person = await server.person()
  await givePassword(server.sql, person)
  return person
}
const proofOf = async (person: Person) => (await person.ok('POST', `${at}/proof`, { password })).proof
const newPasskey = () => new SoftPasskey('localhost', origin)
const setUp = async (person: Person) =>
  (await person.ok('POST', `${at}/passkeys/setup`, { proof: await proofOf(person) })).options

async function withPasskey() {
  const person = await withPassword()
  const passkey = newPasskey()
  const credential = passkey.create(await setUp(person))
  const { id, recovery_codes } = await person.ok('POST', `${at}/passkeys`, { name: 'Laptop', credential })
  return { person, passkey, id: id as number, recoveryCodes: recovery_codes as string[] }
}

/** The options in a page that asks for a passkey. */
async function optionsIn(response: Response): Promise<{ challenge: string; allowCredentials?: { id: string }[] }> {
  const text = /data-options="([^"]*)"/.exec(await response.text())?.[1] ?? ''
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}
const send = (browser: Browser, page: string, credential: unknown, more = {}) =>
  browser.page('POST', page, { form: { credential: JSON.stringify(credential), ...more } })

/** Signs in by a passkey alone, in a new browser or a given one. */
async function signIn(passkey: SoftPasskey, deviation?: Deviation, browser = new Browser(server.url)) {
  const options = await optionsIn(await browser.page('GET', `${alone}?next=/status`))
  return { browser, answer: await send(browser, alone, passkey.get(options, deviation), { next: '/status' }) }
}

t.test('a passkey is added, listed, renamed and removed', async t => {
  const { person, id, recoveryCodes } = await withPasskey()
  t.equal(recoveryCodes.length, 10)
  const list = async () => (await person.ok('GET', at)).passkeys
  t.match(await list(), [{ id, name: 'Laptop', created: Number, last_used: null }])
  t.equal((await person.ok('GET', at)).passkeys_possible, true)
  await person.ok('PATCH', `${at}/passkeys/${id}`, { name: '  Phone ' })
  t.match(await list(), [{ name: 'Phone' }])
  const proof = await proofOf(person)
  const other = await withPassword()
  const otherProof = await proofOf(other)
  for (const name of ['', ' ', 'x'.repeat(61), 'a\0b']) {
    t.match(await person.patch(`${at}/passkeys/${id}`, { name }), { status: 400 }, JSON.stringify(name))
  }
  t.match(await other.patch(`${at}/passkeys/${id}`, { name: 'mine' }), { status: 400 })
  t.match(await other.delete(`${at}/passkeys/${id}`, { proof: otherProof }), { status: 400 })
  t.match(await person.delete(`${at}/passkeys/${id}`, { proof: 'x' }), { status: 400 })
  t.match(await person.patch(`${at}/passkeys/x`, { name: 'x' }), { status: 404 })
  t.match(await person.delete(`${at}/passkeys/x`, { proof }), { status: 404 })
  t.match(await person.post(`${at}/passkeys/setup`, { proof: 'x' }), { status: 400 })
  await person.ok('DELETE', `${at}/passkeys/${id}`, { proof })
  t.match(await person.ok('GET', at), { passkeys: [], recovery_codes: 0 })
  t.match(
    (await mails()).filter(({ to }) => to === person.email).map(({ text }) => text),
    [/passkey “Laptop” was added/, /passkey “Phone” was removed/],
  )
})

t.test('what no good authenticator answers adds no passkey', async t => {
  const person = await withPassword()
  const passkey = newPasskey()
  const refused = async (credential: unknown, why: string) =>
    t.match(await person.post(`${at}/passkeys`, { name: 'x', credential }), { status: 400 }, why)
  const deviations: Record<string, Deviation> = {
    'another origin': { origin: 'http://localhost:9998' },
    'another site': { rpId: 'evil.example' },
    'another purpose': { type: 'webauthn.get' },
    'an unverified user': { flags: 1 },
    'an absent user': { flags: 4 },
  }
  for (const [why, deviation] of Object.entries(deviations)) {
    await refused(passkey.create(await setUp(person), deviation), why)
  }
  const good = passkey.create(await setUp(person))
  await refused({ ...good, response: { ...good.response, attestationObject: 'o2Nm' } }, 'cut')
  await refused({ ...good, type: 'password' }, 'another type')
  for (const nothing of [{}, [], 'x', null, { id: 'x' }]) await refused(nothing, JSON.stringify(nothing))
  t.match(await person.post(`${at}/passkeys`, { name: ' ', credential: good }), { status: 400 }, 'no name')
  await refused(passkey.create({ challenge: Buffer.from('a challenge').toString('base64url') }), 'own challenge')
  await refused(passkey.create(await setUp(await withPassword())), 'the challenge of another account')
  const late = passkey.create(await setUp(person))
  const now = clock.now()
  clock.now = () => now + 601_000
  await refused(late, 'a late answer')
  clock.now = () => Date.now()
  const options = await setUp(person)
  await person.ok('POST', `${at}/passkeys`, { name: 'Key', credential: passkey.create(options) })
  await refused(newPasskey().create(options), 'a used challenge')
  await refused(passkey.create(await setUp(person)), 'the same credential')
  t.match((await setUp(person)).excludeCredentials, [{ id: passkey.id.toString('base64url') }])
})

t.test('a passkey alone begins a session, without a password', async t => {
  const { person, passkey } = await withPasskey()
  t.match(await (await new Browser(server.url).page('GET', '/login/')).text(), /Sign in with a passkey/)
  const page = await new Browser(server.url).page('GET', alone)
  t.match(page.headers.get('content-security-policy'), /default-src 'none'.*script-src 'sha256-[^']+';/)
  t.notMatch(page.headers.get('content-security-policy'), /unsafe|script-src[^;]*'self'/)
  const options = await optionsIn(page)
  t.notOk(options.allowCredentials?.length, 'it tells no credential')
  const { browser, answer } = await signIn(passkey)
  t.match([answer.status, answer.headers.get('location')], [302, '/status'])
  const { sessions } = (await browser.json('GET', '/users/me/sessions')).body
  t.match(sessions, [{ method: 'passkey' }])
  t.match((await person.ok('GET', at)).passkeys, [{ last_used: Number }])
  t.match(await browser.json('POST', `${at}/proof`), { status: 200 }, 'it has just shown who it is')
})

t.test('what no good authenticator signs begins no session', async t => {
  const { person, passkey } = await withPasskey()
  const refused = async (answer: Promise<{ answer: Response; browser: Browser }>, why: string) => {
    const { answer: response, browser } = await answer
    t.equal(response.status, 200, why)
    t.match(await response.text(), /not accepted/, why)
    t.notOk(browser.cookies.has('sessionid'), why)
  }
  await refused(signIn(passkey, { origin: 'http://localhost:9998' }), 'another origin')
  await refused(signIn(passkey, { rpId: 'evil.example' }), 'another site')
  await refused(signIn(passkey, { type: 'webauthn.create' }), 'another purpose')
  await refused(signIn(passkey, { flags: 1 }), 'an unverified user')
  await refused(signIn(newPasskey()), 'an unknown passkey')
  const impostor = newPasskey()
  passkey.id.copy(impostor.id)
  await refused(signIn(impostor), 'another key')
  passkey.counter = 10
  t.equal((await signIn(passkey)).answer.status, 302)
  await refused(signIn(passkey, { counter: 11 }), 'a counter that did not rise')
  await refused(signIn(passkey, { counter: 5 }), 'a counter that fell, as that of a copy')

  const browser = new Browser(server.url)
  const credential = passkey.get(await optionsIn(await browser.page('GET', alone)))
  const cookie = browser.cookies.get('parley_passkey') ?? ''
  const other = new Browser(server.url)
  await other.page('GET', alone)
  await refused(
    send(other, alone, credential).then(answer => ({ answer, browser: other })),
    'in another browser',
  )
  t.equal((await send(browser, alone, credential)).status, 302)
  const replay = new Browser(server.url)
  replay.cookies.set('parley_passkey', cookie)
  await refused(
    send(replay, alone, credential).then(answer => ({ answer, browser: replay })),
    'a replay',
  )
  const none = new Browser(server.url)
  for (const text of ['', 'x', '[]', '{}', 'null', `"${'x'.repeat(5000)}"`]) {
    const answer = await none.page('POST', alone, { form: { credential: text } })
    t.match(await answer.text(), /not accepted/, text.slice(0, 9))
  }
  await deactivate(server.sql, person.id)
  await refused(signIn(passkey), 'of a deactivated account')
})

t.test('after the password a passkey of the account is asked for; a recovery code replaces it', async t => {
  const { person, passkey, recoveryCodes } = await withPasskey()
  const stranger = await withPasskey()
  const halfway = async () => {
    const browser = new Browser(server.url)
    const answer = await browser.page('POST', '/login/', { form: { username: person.email, password } })
    t.equal(answer.headers.get('location'), after)
    return browser
  }
  const browser = await halfway()
  const options = await optionsIn(await browser.page('GET', after))
  t.same(
    options.allowCredentials?.map(({ id }) => id),
    [passkey.id.toString('base64url')],
  )
  t.match(
    await (await send(browser, after, stranger.passkey.get(options))).text(),
    /not accepted/,
    'of another account',
  )
  const fresh = await optionsIn(await browser.page('GET', after))
  const elsewhere = await halfway()
  t.match(await (await send(elsewhere, after, passkey.get(fresh))).text(), /not accepted/, 'of another sign-in')
  t.match(await (await send(browser, alone, passkey.get(fresh))).text(), /not accepted/, 'of another use')
  t.equal((await send(browser, after, passkey.get(fresh))).status, 302)
  t.match((await browser.json('GET', '/users/me/sessions')).body.sessions, [{ method: 'password+passkey' }])
  const code = { form: { code: recoveryCodes[0] ?? '' } }
  t.equal((await elsewhere.page('POST', '/accounts/login/factor/', code)).status, 302)
  t.match(await server.api(null).post('/fetch_api_key', { username: person.email, password }), {
    body: { code: 'SECOND_FACTOR_REQUIRED' },
  })
  const nobody = new Browser(server.url)
  t.equal((await nobody.page('GET', after)).headers.get('location'), '/login/', 'without the password')
  t.equal((await send(nobody, after, passkey.get(fresh))).headers.get('location'), '/login/')
})

t.test('with an app and a passkey the page takes either', async t => {
  const { person, passkey } = await withPasskey()
  const { secret } = await addApp(server, person, password)
  const browser = new Browser(server.url)
  await browser.page('POST', '/login/', { form: { username: person.email, password } })
  t.match(await (await browser.page('GET', '/accounts/login/factor/')).text(), /Use a passkey/)
  const options = await optionsIn(await browser.page('GET', after))
  t.ok(passkey.get(options))
  const form = { code: codeAt(secret, clock.now() + 30_000) }
  t.equal((await browser.page('POST', '/accounts/login/factor/', { form })).status, 302)
})

t.test('where people have no passwords here, a passkey alone signs in no longer', async t => {
  const { passkey } = await withPasskey()
  const browser = new Browser(server.url)
  const options = await optionsIn(await browser.page('GET', alone))
  await setOrganization(server.sql, { authentication_methods: { Email: { enabled: false, available: true } } })
  t.equal((await browser.page('GET', alone)).status, 302)
  await send(browser, alone, passkey.get(options))
  t.notOk(browser.cookies.has('sessionid'))
  await setOrganization(server.sql, { authentication_methods: { Email: { enabled: true, available: true } } })
})

t.test('a server with an IP address as its name offers no passkeys', async t => {
  const plain = await startServer(t)
  const person = await plain.person()
  await givePassword(plain.sql, person)
  t.equal((await person.ok('GET', at)).passkeys_possible, false)
  const { proof } = await person.ok('POST', `${at}/proof`, { password })
  t.match(await person.post(`${at}/passkeys/setup`, { proof }), { status: 400, body: { msg: /https/ } })
  const browser = new Browser(plain.url)
  t.notMatch(await (await browser.page('GET', '/login/')).text(), /passkey/)
  t.equal((await browser.page('GET', alone)).headers.get('location'), '/login/')
  t.equal((await browser.page('GET', after)).headers.get('location'), '/login/')
})
