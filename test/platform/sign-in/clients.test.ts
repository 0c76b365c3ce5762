// The requests with which existing clients sign in, as each of them sends them, against each method of this server: the terminal client asks for a
// name and a password, the mobile client too, or opens the browser with a one-time pad; programs begin with a key.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { addApp, codeAt } from '../../support/authenticator.js'
import { givePassword, password } from '../../support/browser.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { Company } from '../../support/providers/company.js'
import { Slapd, slapdProgram } from '../../support/providers/slapd.js'
import { startServer } from '../../support/server.js'

const company = await Company.start(t)
const slapd = slapdProgram === undefined ? undefined : await Slapd.start(t)
const server = await startServer(t, {
  WIRE_BRAND: 'zulip',
  PUBLIC_URL: publicUrl,
  OIDC_PROVIDERS: JSON.stringify([company.settings()]),
  ...(slapd && { LDAP_DIRECTORY: JSON.stringify(slapd.settings({ user_attribute: 'uid' })) }),
})
company.serverUrl = server.url

const mobile = { 'User-Agent': 'ZulipMobile/flutter 30.0.272 (Android 15)' }
const terminal = { 'User-Agent': 'ZulipTerminal/0.7.0' }
const python = { 'User-Agent': 'ZulipPython/0.9.1 (Linux; 6.1)' }

/** What the mobile client refuses to do without. */
const needed = {
  authentication_methods: { ldap: slapd !== undefined, password: true },
  external_authentication_methods: [{ name: 'oidc:company', login_url: /^\// }],
  zulip_feature_level: Number,
  zulip_version: String,
  zulip_merge_base: String,
  push_notifications_enabled: Boolean,
  is_incompatible: false,
  email_auth_enabled: true,
  require_email_format_usernames: slapd === undefined,
  realm_uri: publicUrl,
  realm_url: publicUrl,
  realm_name: String,
  realm_icon: String,
  realm_description: String,
  realm_web_public_access_enabled: Boolean,
}

async function settingsFor(headers: Record<string, string>) {
  const answer = await fetch(`${server.url}/api/v1/server_settings`, { headers })
  return answer.json() as Promise<{ external_authentication_methods: { name: string; login_url: string }[] }>
}

/** The form for a name and a password, in an app. */
async function byForm(headers: Record<string, string>, username: string, word: string) {
  const body = new URLSearchParams({ username, password: word })
  const answer = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Opens an address in the system's browser, with a pad in place of its query, until the app is called. */
async function byBrowser(loginUrl: string, inBetween?: (browser: Browser, page: string) => Promise<string>) {
  const pad = randomBytes(32)
  const url = new URL(loginUrl, publicUrl)
  url.search = `mobile_flow_otp=${pad.toString('hex')}`
  const browser = new Browser({ [publicUrl]: server.url })
  const isApp = (location: string) => location.startsWith('zulip://login')
  const begun = await browser.follow(url.href, isApp)
  const end = new URL(inBetween ? await inBetween(browser, begun.url) : begun.url)
  const encrypted = Buffer.from(end.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
  t.equal(encrypted.length, 32)
  t.equal(new URL(end.searchParams.get('realm') ?? '').origin, publicUrl)
  const [email, id] = ['email', 'user_id'].map(name => end.searchParams.get(name))
  return { email, id, key: Buffer.from(encrypted.map((byte, i) => byte ^ (pad[i] ?? 0))).toString('ascii') }
}

/** A form of the pages, sent in the browser. */
async function sendForm(browser: Browser, path: string, fields: Record<string, string>): Promise<string> {
  const answer = await browser.open(publicUrl + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
  })
  return new URL(answer.headers.get('location') ?? '', publicUrl + path).href
}

/** What a client does with the key: its first requests succeed. */
async function works(person: Person, email: unknown, key: unknown, headers: Record<string, string>): Promise<void> {
  const who = { Authorization: basic({ email: String(email), api_key: String(key) }), ...headers }
  const own = await fetch(`${server.url}/api/v1/users/me`, { headers: who })
  t.match(await own.json(), { result: 'success', user_id: person.id })
  const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers: who })
  t.match(await registered.json(), { result: 'success', queue_id: String })
}

t.test('what clients ask first has all that they need, whatever credentials they send along', async t => {
  for (const headers of [mobile, terminal, python, { ...python, Authorization: 'Basic bm86bm8=' }])
    t.match(await settingsFor(headers), needed)
})

t.test('a password of an account', async t => {
  const person = await server.person()
  await givePassword(server.sql, person)
  for (const headers of [mobile, terminal]) {
    const { body } = await byForm(headers, person.email, password)
    t.match(body, { result: 'success', email: person.email, user_id: person.id })
    await works(person, body.email, body.api_key, headers)
    t.match(await byForm(headers, person.email, 'wrong'), { status: 401, body: { code: 'AUTHENTICATION_FAILED' } })
  }
  await works(person, person.email, person.api_key, python)
})

t.test('a password of the directory', slapd ? {} : { skip: 'slapd is not installed' }, async t => {
  const person = await server.person()
  await slapd?.addPerson('dirk', { mail: person.email, userPassword: 'the secret of dirk' })
  for (const headers of [mobile, terminal]) {
    const { body } = await byForm(headers, 'dirk', 'the secret of dirk')
    t.match(body, { result: 'success', email: person.email, user_id: person.id })
    await works(person, body.email, body.api_key, headers)
  }
})

t.test('a provider, by the button of the mobile client', async t => {
  const person = await server.person()
  company.people.set('pia', { email: person.email, email_verified: true, name: 'Pia Pilot' })
  company.present = 'pia'
  const [method] = (await settingsFor(mobile)).external_authentication_methods
  const { email, id, key } = await byBrowser(method?.login_url ?? '')
  t.same([email, id], [person.email, String(person.id)])
  await works(person, email, key, mobile)
})

t.test('a second factor: no form of an app gets the key, the browser does', async t => {
  const person = await server.person()
  await givePassword(server.sql, person)
  const { secret } = await addApp(server, person, password)
  for (const headers of [mobile, terminal]) {
    const refused = await byForm(headers, person.email, password)
    t.match(refused, { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED', msg: /browser/ } })
    t.notOk('api_key' in refused.body)
  }
  const { external_authentication_methods: methods } = await settingsFor(mobile)
  const button = methods.find(({ name }) => name === 'browser')
  const { email, key } = await byBrowser(button?.login_url ?? '', async (browser, page) => {
    const pad = new URL(page).searchParams.get('mobile_flow_otp') ?? ''
    const form = { username: person.email, password, mobile_flow_otp: pad }
    t.match(await sendForm(browser, '/login/', form), '/accounts/login/factor/')
    return sendForm(browser, '/accounts/login/factor/', { code: codeAt(secret, server.ctx.clock.now() + 30_000) })
  })
  await works(person, email, key, mobile)
})
