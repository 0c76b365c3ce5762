import { createDecipheriv, randomBytes } from 'node:crypto'
import t from 'tap'
import { deactivate } from '../../support/organization.js'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { Company } from '../../support/providers/company.js'
import { startServer } from '../../support/server.js'

const company = await Company.start(t)
const server = await startServer(t, { OIDC_PROVIDERS: JSON.stringify([company.settings()]), PUBLIC_URL: publicUrl })
company.serverUrl = server.url
const owner = await server.person({ role: 100 })
const login = `${publicUrl}/accounts/login/social/oidc`
const browser = (headers = {}) => new Browser({ [publicUrl]: server.url }, headers)
const isApp = (location: string) => location.startsWith('service:')
let people = 0

/** A person with an account here and at the provider, who signs in there next. */
async function employee(more = {}) {
  const person = await server.person({ email_address_visibility: 5 })
  const subject = `s${++people}`
  company.people.set(subject, { email: person.email, email_verified: true, name: 'Who They Are', ...more })
  company.present = subject
  return { ...person, person, subject }
}

/** The key that an app gets with its pad. */
const keyOf = (encrypted: string, pad: string): string =>
  Buffer.from(Buffer.from(encrypted, 'hex').map((byte, i) => byte ^ (Buffer.from(pad, 'hex')[i] ?? 0))).toString()

t.test('the mobile app gets its key by a one-time pad', async t => {
  const { person } = await employee()
  const pad = randomBytes(32).toString('hex')
  const { url } = await browser().follow(`${login}?mobile_flow_otp=${pad.toUpperCase()}`, isApp)
  const { protocol, host, searchParams } = new URL(url)
  t.equal(`${protocol}//${host}`, 'service://login')
  t.equal(searchParams.get('email'), person.email)
  t.equal(searchParams.get('user_id'), String(person.id))
  t.equal(searchParams.get('realm'), publicUrl)
  t.match(searchParams.get('otp_encrypted_api_key'), /^[0-9a-f]{64}$/)
  t.equal(keyOf(searchParams.get('otp_encrypted_api_key') ?? '', pad), person.api_key)
})

t.test('a pad is used once', async t => {
  await employee()
  const pad = randomBytes(32).toString('hex')
  const first = await browser().follow(`${login}?mobile_flow_otp=${pad}`, isApp)
  t.ok(isApp(first.url))
  const second = await browser().follow(`${login}?mobile_flow_otp=${pad}`, isApp)
  t.equal(second.answer.status, 400)
})

t.test('a pad is 64 hexadecimal digits, of one app', async t => {
  const pad = 'a'.repeat(64)
  for (const query of [
    'mobile_flow_otp=',
    'mobile_flow_otp=abc',
    `mobile_flow_otp=${pad}0`,
    `mobile_flow_otp=${'g'.repeat(64)}`,
    `desktop_flow_otp=${pad.slice(1)}`,
    `mobile_flow_otp=${pad}&desktop_flow_otp=${pad}`,
    `mobile_flow_otp=${pad}&mobile_flow_otp=${pad}`,
  ]) {
    const answer = await fetch(`${server.url}/accounts/login/social/oidc?${query}`, { redirect: 'manual' })
    t.equal(answer.status, 400, query)
    t.match(await answer.json(), { code: 'BAD_REQUEST' })
    t.equal(answer.headers.get('set-cookie'), null)
  }
  const bad = await fetch(`${server.url}/accounts/login/social/oidc?multiuse_object_key=x`, { redirect: 'manual' })
  t.equal(bad.status, 404)
})

t.test('the desktop app gets a token that it can read and use once', async t => {
  await employee()
  const pad = randomBytes(32)
  const visitor = browser()
  const { answer } = await visitor.follow(`${login}?desktop_flow_otp=${pad.toString('hex')}`)
  const data = Buffer.from(/name="desktop_data" value="([0-9a-f]+)"/.exec(await answer.text())?.[1] ?? '', 'hex')
  t.equal(data.length, 12 + 32 + 16)
  const cipher = createDecipheriv('aes-256-gcm', pad, data.subarray(0, 12))
  cipher.setAuthTag(data.subarray(-16))
  const token = cipher.update(data.subarray(12, -16)).toString() + cipher.final().toString()
  t.match(token, /^[A-Za-z0-9]{32}$/)
  for (const wrong of ['x', token.slice(1), token.toLowerCase(), `${token}a`]) {
    const refused = await visitor.open(`${publicUrl}/accounts/login/subdomain/${wrong}`)
    t.equal(refused.status, 400, wrong)
  }
  t.equal((await visitor.open(`${publicUrl}/accounts/login/subdomain/${token}`)).status, 302)
  t.equal((await visitor.open(`${publicUrl}/accounts/login/subdomain/${token}`)).status, 400, 'once')
})

t.test('without an app a session begins, and goes on at the page where it began', async t => {
  await employee()
  const visitor = browser()
  for (const [next, wanted] of [
    ['/', '/'],
    ['/status?x=1', '/status?x=1'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    [`/${'a'.repeat(1500)}`, '/'],
  ] as const) {
    const isEnd = (location: string) => location === new URL(wanted, publicUrl).href
    const { url, answer } = await visitor.follow(`${login}?next=${encodeURIComponent(next)}`, isEnd)
    t.equal(url, `${publicUrl}${wanted}`, next.slice(0, 30))
    t.ok(answer.headers.getSetCookie().some(one => one.startsWith('sessionid=') && /HttpOnly/.test(one)))
    t.equal(visitor.cookie('chat.test.example', 'parley_sign_in'), undefined, 'the attempt has ended')
  }
})

t.test('where no password is, a page shows the API key in the first ten minutes of its session', async t => {
  const { person } = await employee()
  const visitor = browser()
  await visitor.follow(login, location => location === `${publicUrl}/`)
  const ask = async (password: string) => {
    const init = { method: 'POST', headers: { Origin: server.url }, body: new URLSearchParams({ password }) }
    const answer = await visitor.open(`${publicUrl}/json/fetch_api_key`, init)
    return { status: answer.status, body: await answer.json() }
  }
  const { clock } = server.ctx
  const { now } = clock
  t.teardown(() => Object.assign(clock, { now }))
  for (const Email of [false, true]) {
    await owner.ok('PATCH', '/realm', { authentication_methods: { Email } })
    clock.now = now
    t.match(await ask(''), { status: 200, body: { api_key: person.api_key } })
    t.match(await ask('wrong'), { status: 400, body: { code: 'BAD_REQUEST' } })
    clock.now = () => now() + 11 * 60_000
    t.match(await ask(''), { status: 400, body: { msg: /sign in again/ } }, 'a page left open')
  }
})

t.test('state, cookie and code belong to one browser and one attempt', async t => {
  await employee()
  const isBack = (location: string) => location.includes('/complete/oidc/')
  const begun = browser()
  const { url } = await begun.follow(login, isBack)
  const shown = async (visitor: Browser, at: string) => {
    const answer = await visitor.open(at)
    return `${answer.status} ${/<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1]}`
  }
  t.equal(await shown(browser(), url), '400 Please try again', 'another browser')
  const other = browser()
  await other.follow(login, isBack)
  t.equal(await shown(other, url), '400 Please try again', 'a browser with another attempt')
  t.equal(await shown(begun, url.replace(/state=[^&]+/, 'state=x')), '400 Please try again')
  t.equal(
    await shown(
      begun,
      url.replace(/[?&]state=[^&]+/, m => m[0] ?? ''),
    ),
    '400 Please try again',
    'no state',
  )
  const cookie = begun.cookie('chat.test.example', 'parley_sign_in')
  t.equal(cookie, undefined, 'a refused return ends the attempt')

  const again = browser()
  const second = await again.follow(login, isBack)
  const kept = again.cookie('chat.test.example', 'parley_sign_in') ?? ''
  const pairs = kept.match(/../g) ?? []
  const forged = [...pairs.slice(0, -1), pairs.at(-1) === '00' ? '01' : '00'].join('')
  const forger = browser()
  await forger.open(`${publicUrl}/login/`)
  for (const value of [forged, kept.slice(2), '', 'x', kept.toUpperCase()]) {
    forger.setCookie('chat.test.example', 'parley_sign_in', value)
    t.equal(await shown(forger, second.url), '400 Please try again', value.slice(0, 10))
  }
  t.equal((await again.open(second.url)).status, 302)
  again.setCookie('chat.test.example', 'parley_sign_in', kept)
  t.equal(await shown(again, second.url), '400 Please try again', 'a code and a cookie are used once')
})

t.test('over TLS the cookie is bound to this very host', async t => {
  const settings = JSON.stringify([company.settings()])
  const secure = await startServer(t, { OIDC_PROVIDERS: settings, PUBLIC_URL: 'https://chat.test.example' })
  const answer = await fetch(`${secure.url}/accounts/login/social/oidc`, { redirect: 'manual' })
  t.equal(answer.status, 302)
  const [cookie = ''] = answer.headers.getSetCookie()
  t.match(cookie, /^__Host-parley_sign_in=[0-9a-f]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/)
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  t.equal(searchParams.get('redirect_uri'), 'https://chat.test.example/complete/oidc/company')
  t.equal(searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) t.ok((searchParams.get(name) ?? '').length >= 43, name)
})

t.test('who has no access to an account sees why, in the language of the browser', async t => {
  const heading = async (headers = {}) => {
    const { answer } = await browser(headers).follow(login)
    return `${answer.status} ${/<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1]}`
  }
  const { subject, person, email } = await employee()
  const there = company.people.get(subject)
  if (!there) throw new Error('the person is missing')

  there.email_verified = false
  t.equal(await heading(), '200 Address not confirmed')
  t.equal(await heading({ 'Accept-Language': 'de' }), '200 Adresse nicht bestätigt')
  delete there.email_verified
  t.equal(await heading(), '200 Address not confirmed', 'the provider does not say')
  there.email_verified = true
  there.email = 'stranger@test.example'
  t.equal(await heading(), '200 No account')
  there.email = email.toUpperCase()
  const pad = () => `mobile_flow_otp=${randomBytes(32).toString('hex')}`
  const first = await browser().follow(`${login}?${pad()}`, isApp)
  t.ok(isApp(first.url), 'case is ignored')

  there.email = (await server.person()).email
  t.equal(await heading(), '200 Another address', 'the same subject with the address of another account')
  there.email = 'nobody.here@test.example'
  t.equal(await heading(), '200 Another address', 'the same subject with an unknown address')
  there.email = email
  company.people.set('someone else', { ...there })
  company.present = 'someone else'
  t.equal(await heading(), '200 Not your account', 'another subject with the same address')
  const bot = await server.person({ bot_type: 1 })
  company.people.set('a bot', { email: bot.email, email_verified: true })
  company.present = 'a bot'
  t.equal(await heading(), '200 Not an account of a person')

  company.present = subject
  await deactivate(server.sql, person.id)
  const gone = await browser().follow(login)
  t.equal(new URL(gone.url).searchParams.get('is_deactivated'), email)
  company.present = ''
  t.equal(await heading(), '200 Not signed in', 'the person cancelled')
})

t.test('a provider that is switched off, or unknown, has no pages', async t => {
  for (const path of [
    '/accounts/login/social/oidc/other',
    '/complete/oidc/other',
    '/accounts/register/social/oidc/x',
  ]) {
    t.equal((await fetch(server.url + path)).status, 404, path)
  }
  const off = await startServer(t)
  for (const path of ['/accounts/login/social/oidc', '/complete/oidc/company', '/accounts/register/social/oidc']) {
    t.equal((await fetch(off.url + path)).status, 404, path)
  }
})

t.test(
  'a provider changes its keys while people sign in: an attempt fails whole, and the next one succeeds',
  async t => {
    const signIn = () => browser().follow(login, location => location === `${publicUrl}/`)
    const facts = async (id: number) => {
      const [row] = await server.sql`
      select (select count(*)::int from sessions where user_id = ${id}) as sessions,
        (select count(*)::int from identities where user_id = ${id}) as links`
      return row
    }
    const before = await employee()
    t.equal((await signIn()).url, `${publicUrl}/`)
    const { person } = await employee()
    await company.changeKeys('second')
    t.match(
      await (await signIn()).answer.text(),
      /Sign-in failed/,
      'signed with a key that this server does not know yet',
    )
    t.same(await facts(person.id), { sessions: 0, links: 0 })
    t.equal((await signIn()).url, `${publicUrl}/`)
    t.same(await facts(person.id), { sessions: 1, links: 1 })
    t.same(await facts(before.person.id), { sessions: 1, links: 1 })
  },
)
