// The setup link of an empty organization: it makes the owner, once.
import t from 'tap'
import { setupCode } from '../../../server/auth/setup-code.js'
import { newMails } from '../../support/mails.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

const server = await startServer(t)
const { sql } = server
await server.ctx.directory.fresh()
const code = setupCode(server.ctx.directory)
const good = {
  organization: ' Acme & Sons ',
  full_name: 'Olga Ownby',
  email: 'olga@acme.example',
  password: 'four words not together',
  joining: 'invitation',
  channels: 'general, Kantine,',
  invited: 'Ines <ines@acme.example>\nOLGA@acme.example, tomas@acme.example',
}
const post = (fields: Record<string, string>, { at = code, origin = server.url, language = 'en' } = {}) =>
  fetch(`${server.url}/setup/${at}/`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { Accept: 'text/html', 'Accept-Language': language, Origin: origin },
  })
const mails = newMails(sql, server.config.dataDir)
const people = () => sql`select id from users where not is_system_bot`

t.test('another code finds nothing', async t => {
  for (const at of [
    'x',
    code.slice(1),
    `${code}0`,
    code.replace(/^./, c => (c === '0' ? '1' : '0')),
    '%00',
    'é'.repeat(24),
  ]) {
    t.equal((await fetch(`${server.url}/setup/${at}/`)).status, 404, at)
    t.equal((await post(good, { at })).status, 404, at)
  }
  t.same(await people(), [])
})

t.test('a form of another page, and wrong fields, make no account', async t => {
  t.equal((await post(good, { origin: 'https://evil.example' })).status, 403)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ organization: ' ' }, /1 to 40 characters/],
    [{ organization: 'x'.repeat(41) }, /1 to 40 characters/],
    [{ full_name: 'x' }, /2 to 100 characters/],
    [{ full_name: 'A <b>"@' }, /2 to 100 characters/],
    [{ email: 'olga' }, /no email address/],
    [{ email: 'olga@acme.example\r\nBcc: x@y.example' }, /no email address/],
    [{ email: 'olga@system.invalid' }, /no email address/],
    [{ email: 'olga@localhost', joining: 'domain' }, /no domain by which/],
    [{ email: 'olga@[10.0.0.1]', joining: 'domain' }, /no domain by which/],
    [{ password: '' }, /too easy/],
    [{ password: 'password1' }, /too easy/],
    [{ password: 'x7-'.repeat(40) }, /too easy/],
    [{ channels: 'one, One' }, /each name/],
    [{ channels: 'x'.repeat(61) }, /each name/],
    [{ channels: Array.from({ length: 21 }, (_, i) => `c${i}`).join() }, /each name/],
    [{ invited: 'ines@acme.example; tomas@acme.example' }, /cannot be invited[^<]*<br>ines@acme.example; tomas/],
    [{ invited: 'ines@acme.example\n<b>@x' }, /cannot be invited[^<]*<br>&lt;b&gt;@x/],
    [{ invited: 'bot@system.invalid' }, /<br>bot@system.invalid/],
    [{ invited: 'a+b@acme.example, a@other.example', joining: 'domain' }, /<br>a\+b@acme.example<br>a@other.example/],
    [{ invited: Array.from({ length: 1001 }, (_, i) => `a${i}@b.example`).join() }, /more than 1,000/],
  ]
  for (const [fields, problem] of wrong) {
    const answer = await post({ ...good, ...fields })
    const body = await answer.text()
    t.equal(answer.status, 200)
    t.match(body, problem, JSON.stringify(fields))
    t.notMatch(body, good.password, 'no page repeats the password')
    if (!('organization' in fields)) t.match(body, 'Acme &amp; Sons', 'what was typed stays')
    if (!('invited' in fields)) t.match(body, 'tomas@acme.example</textarea>')
  }
  t.same(await people(), [])
})

t.test('the link opens the form in the language of the browser', async t => {
  const answer = await fetch(`${server.url}/setup/${code}/`, { headers: { 'Accept-Language': 'de' } })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const text = await answer.text()
  t.match(text, /Richte deine Organisation ein/)
  t.match(text, `value="${server.ctx.publicUrl}" readonly`)
  t.match(text, /Nur dieser Rechner erreicht diese Adresse/)
  t.match(text, /value="Passwort" readonly/)
})

t.test('one of two forms sent at once makes the owner, name, rules and channels; then the link is gone', async t => {
  const second = { ...good, email: 'eve@evil.example' }
  const answers = await Promise.all([post({ ...good, joining: 'domain' }, { language: 'de' }), post(second)])
  t.same(answers.map(({ status }) => status).sort(), [302, 404])
  const rows = await people()
  t.equal(rows.length, 1)
  const won = answers[0]?.status === 302 ? good : second
  const first = answers.find(({ status }) => status === 302)?.headers
  t.equal(first?.get('location'), '/')
  const cookie = first?.getSetCookie()[0]?.split(';')[0] ?? ''
  t.match(await (await fetch(`${server.url}/json/users/me`, { headers: { cookie } })).json(), {
    email: won.email,
    is_owner: true,
  })
  const { api_key } = await server
    .api(null)
    .ok('POST', '/fetch_api_key', { username: won.email, password: won.password })
  const owner = server.api({ email: won.email, api_key })
  const state = await owner.ok('POST', '/register')
  t.match(state, { realm_name: 'Acme & Sons', is_owner: true })
  t.same(state.subscriptions.map(({ name }: { name: string }) => name).sort(), ['Kantine', 'general'])
  t.equal(state.realm_default_streams.length, 2)
  if (won === good) {
    t.match(state, { realm_default_language: 'de', realm_emails_restricted_to_domains: true })
    t.match(state.user_settings, { default_language: 'de', twenty_four_hour_time: true })
    t.match(state.realm_domains, [{ domain: 'acme.example', allow_subdomains: false }])
  }
  const general = state.subscriptions.find(({ name }: { name: string }) => name === 'general')?.stream_id
  t.equal(state.realm_signup_announcements_stream_id, general, 'new users are announced in the first channel')
  const found = async (operator: string, operand: unknown) =>
    (
      await owner.ok('GET', '/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator, operand }],
      })
    ).messages
  for (const [operator, operand] of [
    ['channel', general],
    ['is', 'dm'],
  ] as const) {
    await until(async () => (await found(operator, operand)).length > 0)
    t.match(await found(operator, operand), [{ content: /<strong>Acme &amp; Sons<\/strong>/ }])
  }
  const invitations = await mails()
  const invited =
    won === good
      ? ['ines@acme.example', 'tomas@acme.example']
      : ['OLGA@acme.example', 'ines@acme.example', 'tomas@acme.example']
  t.same(invitations.map(({ to }) => to).sort(), invited, 'each once, and not the owner')
  t.match(invitations[0]?.text, 'Acme & Sons')
  for (const answer of [await fetch(`${server.url}/setup/${code}/`), await post(good)]) t.equal(answer.status, 404)
})
