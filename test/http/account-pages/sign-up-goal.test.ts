// What a sign-up was begun for lasts to its end: the page to go on at, and the app that waits.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newMails } from '../../support/mails.js'
import { setOrganization } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
await setOrganization(sql, { invite_required: false })
const browser = new PageClient(server.url)
const mails = newMails(sql, server.config.dataDir)
const pad = () => randomBytes(32).toString('hex')
let made = 0

/** Sends the address, and returns what the browser has then: the key of the mail, and its cookie. */
async function begun(path: string, fields: Record<string, string>) {
  const email = `Goal${++made}@new.example`
  const answer = await browser.post(path, { email, ...fields })
  t.match(answer, { status: 302, location: `/accounts/send_confirm/?email=${encodeURIComponent(email)}` })
  const mail = (await mails()).findLast(({ to }) => to === email)
  const key = /do_confirm\/([a-z2-7]{24})/.exec(mail?.text ?? '')?.[1] ?? ''
  const [cookie = ''] = answer.cookies
  t.match(cookie, /^parley_sign_up=[0-9a-f]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
  return { email, key, Cookie: cookie.split(';')[0] ?? '' }
}
const finish = (key: string, headers: Record<string, string> = {}) =>
  browser.post(
    '/accounts/register/',
    { key, full_name: `Person ${key.slice(0, 6)}`, password: 'seven tall wooden boats' },
    headers,
  )

t.test('a sign-up that an app began ends in the app, through a link as well', async t => {
  const { invite_link } = await owner.ok('POST', '/invites/multiuse', {
    invite_as: 400,
    stream_ids: [],
    include_realm_default_subscriptions: false,
  })
  for (const path of ['/register/', new URL(invite_link).pathname]) {
    const mobile_flow_otp = pad()
    const page = await browser.get(`${path}?mobile_flow_otp=${mobile_flow_otp}`)
    t.match(page.text, `name="mobile_flow_otp" value="${mobile_flow_otp}"`, path)
    t.match(page.text, `href="/login/?mobile_flow_otp=${mobile_flow_otp}"`)
    const { email, key, Cookie } = await begun(path, { mobile_flow_otp })
    const done = await finish(key, { Cookie })
    t.equal(done.status, 302)
    t.match(done.location, /^service:\/\/login\?otp_encrypted_api_key=[0-9a-f]{64}&/)
    t.match(done.location, `email=${encodeURIComponent(email)}`)
    t.match(done.cookies, [/^parley_sign_up=; .*Max-Age=0/], 'no session, and the goal is used up')
  }
  const { key, Cookie } = await begun('/register/', { desktop_flow_otp: pad() })
  t.match(await finish(key, { Cookie }), { status: 200, text: /name="desktop_data" value="[0-9a-f]{120}"/ })
})

t.test('the browser goes on at the page that it came from', async t => {
  t.match((await browser.get('/login/?next=/stats%3Fa')).text, 'href="/register/?next=%2Fstats%3Fa"')
  const { key, Cookie } = await begun('/register/', { next: '/stats?a' })
  t.match(await finish(key, { Cookie }), { status: 302, location: '/stats?a' })
  const elsewhere = await begun('/register/', { next: 'https://evil.example/' })
  t.match(await finish(elsewhere.key, { Cookie: elsewhere.Cookie }), { status: 302, location: '/' })
})

t.test('an address that has an account by now signs in for the same', async t => {
  const { email, key, Cookie } = await begun('/register/', { next: '/stats' })
  await server.person({ email })
  const location = `/login/?email=${encodeURIComponent(email)}&already_registered=1&next=%2Fstats`
  t.match(await finish(key, { Cookie }), { status: 302, location })
})

t.test(
  'the goal of another address, of another browser, of an hour ago or with another signature has no effect',
  async t => {
    const app = await begun('/register/', { mobile_flow_otp: pad() })
    const other = await begun('/register/', {})
    t.match(await finish(other.key, { Cookie: app.Cookie }), { location: '/' }, 'another address')
    const forged = app.Cookie.replace(/=./, one => (one === '=0' ? '=1' : '=0'))
    t.match(await finish(app.key, { Cookie: forged }), { location: '/' }, 'another signature')
    t.match(await finish((await begun('/register/', { mobile_flow_otp: pad() })).key), { location: '/' }, 'no cookie')
    const late = await begun('/register/', { mobile_flow_otp: pad() })
    const now = ctx.clock.now()
    ctx.clock.now = () => now + 3601_000
    t.match(await finish(late.key, { Cookie: late.Cookie }), { location: '/' }, 'too late')
    ctx.clock.now = () => Date.now()
    // The sign-in an hour later is mailed.
    await mails()
  },
)

t.test('malformed pads are refused before a mail is sent', async t => {
  for (const wrong of ['x', 'g'.repeat(64), 'a'.repeat(65)]) {
    t.equal((await browser.get(`/register/?mobile_flow_otp=${wrong}`)).status, 400)
    t.equal((await browser.post('/register/', { email: 'a@new.example', desktop_flow_otp: wrong })).status, 400)
  }
  const both = { mobile_flow_otp: pad(), desktop_flow_otp: pad() }
  t.equal((await browser.post('/register/', { email: 'a@new.example', ...both })).status, 400)
  t.same(await mails(), [])
})
