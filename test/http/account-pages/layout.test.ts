import t from 'tap'
import { html } from '../../../server/http/account-pages/html.js'
import { ownPath } from '../../../server/http/account-pages/own-path.js'
import { isFromOwnPage } from '../../../server/http/own-page.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { pageLanguage } from '../../../server/text/page-language.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
await server.person()
const page = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(server.url + path, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual', ...init })

const setActive = (isActive: boolean) =>
  server.ctx.write(async tx => {
    await server.ctx.directory.hold(tx, 'change')
    await bumpVersion(tx)
    await tx`update organization set is_active = ${isActive}`
  })

t.test('everything inserted into a page is escaped, HTML of templates is not', async t => {
  const bad = '<img src=x onerror="alert(1)">&'
  t.equal(html`<p title="${bad}">${bad}</p>`.text.includes('<img'), false)
  t.equal(html`<b>${[html`<i>${1}</i>`, undefined, false]}</b>`.text, '<b><i>1</i></b>')
  const shown = await (await page(`/login/?email=${encodeURIComponent('"><script>x</script>')}`)).text()
  t.notMatch(shown, '<script')
  t.match(shown, 'value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"')
})

t.test('the page to go on at is one of this server', async t => {
  for (const next of ['/', '/status?x=1', '/#narrow/channel/1-a', '/a//b']) t.equal(ownPath(next), next)
  const foreign = [
    '',
    'status',
    '//x.example',
    '/\\x.example',
    '\\/x.example',
    'https://x.example/',
    'javascript:alert(1)',
    '/\t/x.example',
    '/a\n',
    '/./..//x.example',
    '/%',
    `/${'a'.repeat(3000)}`,
  ]
  for (const next of foreign) t.ok(['/', '/%'].includes(ownPath(next)), next)
  t.equal(ownPath(null), '/')
  const shown = await (await page('/login/?next=//evil.example/')).text()
  t.notMatch(shown, 'evil')
})

t.test('only requests of own pages may change something', async t => {
  const host = 'chat.example:8443'
  const own = 'https://chat.example:8443'
  const check = (origin: string, site: string, isHttps = true) => isFromOwnPage({ origin, host, site }, isHttps)
  t.ok(check(own, ''))
  t.ok(check(own, 'same-origin'))
  t.ok(check('', 'same-origin'))
  t.ok(check('null', 'same-origin'))
  t.ok(check('http://chat.example:8443', '', false))
  t.notOk(check('', ''), 'no page')
  t.notOk(check('null', ''), 'a hidden origin')
  t.notOk(check(own, 'cross-site'))
  t.notOk(check(own, 'same-site'))
  t.notOk(check(own, 'none'))
  t.notOk(check('https://evil.example', ''))
  t.notOk(check('https://evil.example', 'same-origin'))
  t.notOk(check('https://chat.example', ''), 'another port')
  t.notOk(check('http://chat.example:8443', ''), 'without TLS')
  t.notOk(check('x', ''))
})

t.test('the reader chooses the language, otherwise the organization does', async t => {
  t.equal(pageLanguage('de-AT,en;q=0.5', 'en'), 'de')
  t.equal(pageLanguage('fr;q=0.9, en;q=0.1, de;q=0.2', 'en'), 'de')
  t.equal(pageLanguage('de;q=0', 'en'), 'en')
  t.equal(pageLanguage('fr', 'de'), 'de')
  t.equal(pageLanguage('', 'xx'), 'en')
  t.equal(pageLanguage(';;,q=;', 'en'), 'en')
  t.match(
    await (await page('/login/', { 'Accept-Language': 'de' })).text(),
    /<html lang="de" dir="ltr">[\s\S]*Anmelden/,
  )
  t.match(await (await page('/login/')).text(), /<html lang="en" dir="ltr">[\s\S]*Sign in/)
})

t.test('a page allows no script, loads nothing of other hosts, and is neither framed nor kept', async t => {
  for (const path of ['/login', '/login/', '/accounts/login/']) {
    const answer = await page(path)
    t.equal(answer.status, 200)
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'self' service:; frame-ancestors 'none'$/,
    })
    t.match(await answer.text(), /<input class="input" type="password" name="password"/)
  }
  t.equal((await page('/login/', {}, { method: 'HEAD' })).headers.get('content-length') === '0', false)
})

t.test('what a page does not take is refused, for programs as JSON', async t => {
  t.match(await page('/login/', {}, { method: 'PUT' }), { status: 405 })
  const json = await page('/login/', { Accept: 'application/json' }, { method: 'DELETE' })
  t.match(await json.json(), { result: 'error', code: 'METHOD_NOT_ALLOWED' })
  t.match(await page('/accounts/deactivated/'), { status: 302 })
})

t.test('a deactivated account is named only as a text of the page', async t => {
  t.match(await (await page('/login/?is_deactivated=a%40b.example')).text(), /The account a@b\.example is deactivated/)
  t.match(await (await page('/login/?already_registered=1')).text(), /There is an account with this address already/)
})

t.test('a deactivated organization has one page', async t => {
  await setActive(false)
  t.teardown(() => setActive(true))
  const answer = await page('/login/')
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('location'), '/accounts/deactivated/')
  t.match(await (await page('/accounts/deactivated')).text(), /This organization is deactivated/)
})
