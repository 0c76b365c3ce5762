import t from 'tap'
import { addApp, codeAt } from '../../support/authenticator.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { newMails } from '../../support/mails.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { clock } = server.ctx
const mails = newMails(server.sql, server.config.dataDir)
const at = '/users/me/factors'

async function withPassword(options = {}): Promise<Person> {
  const person = await server.person(options)
  await givePassword(server.sql, person)
  return person
}
const proofOf = async (person: Person) => (await person.ok('POST', `${at}/proof`, { password })).proof

t.test('only people have second factors, and only administrators remove those of others', async t => {
  const owner = await server.person({ role: 100 })
  const callers: Record<string, Person | ReturnType<typeof server.api>> = { none: server.api(null), owner }
  for (const [name, role] of Object.entries({ administrator: 200, moderator: 300, guest: 600 } as const)) {
    callers[name] = await server.person({ role })
  }
  callers.full = await server.person({ date_joined: new Date(0) })
  callers.new = await server.person()
  callers.bot = await server.person({ bot_type: 1, bot_owner_id: owner.id, role: 200 })
  callers.deactivated = await server.person({ is_active: false })
  for (const [name, caller] of Object.entries(callers)) {
    const answers = [
      await caller.get(at),
      await caller.post(`${at}/proof`),
      await caller.post(`${at}/app/setup`, { proof: 'x' }),
      await caller.post(`${at}/app`, { setup: 'x', code: '000000' }),
      await caller.delete(`${at}/app?proof=x`),
      await caller.post(`${at}/recovery_codes`, { proof: 'x' }),
      await caller.post(`${at}/passkeys/setup`, { proof: 'x' }),
      await caller.post(`${at}/passkeys`, { name: 'x', credential: { id: 'x' } }),
      await caller.patch(`${at}/passkeys/1000000`, { name: 'x' }),
      await caller.delete(`${at}/passkeys/1000000?proof=x`),
    ]
    const isKnown = !['none', 'deactivated'].includes(name)
    const first = name === 'bot' ? 400 : 200
    const wanted = isKnown ? [first, ...answers.slice(1).map(() => 400)] : answers.map(() => 401)
    t.same(
      answers.map(({ status }) => status),
      wanted,
      name,
    )
    const { status, body } = await caller.delete(`/users/${owner.id}/factors`)
    const msg: Record<string, RegExp> = { owner: /no second factor/, administrator: /owner/, bot: /owner/ }
    const refusal = msg[name] ?? (isKnown ? /administrator/ : /./)
    t.match({ status, msg: body.msg }, { status: isKnown ? 400 : 401, msg: refusal }, name)
  }
})

t.test('an app is added with its first code, and its codes are recovered', async t => {
  const ann = await withPassword()
  const page = await new Browser(server.url).signIn(ann)
  const away = await new Browser(server.url).signIn(ann)
  t.same((await page.json('GET', at)).body, {
    result: 'success',
    msg: '',
    app: null,
    passkeys: [],
    passkeys_possible: false,
    recovery_codes: 0,
    required_for: 'none',
  })
  const { proof } = (await page.json('POST', `${at}/proof`, { password })).body
  const { body } = await page.json('POST', `${at}/app/setup`, { proof })
  const { secret, uri, qr, setup } = body
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.match(uri, new RegExp(`^otpauth://totp/.*${encodeURIComponent(ann.email)}\\?.*secret=${secret}&algorithm=SHA1`))
  t.match(qr, { size: Number, path: /^(?:M\d+ \d+h\d+v1h-\d+z)+$/ })
  const add = (code: string, given = setup) => page.json('POST', `${at}/app`, { setup: given, code })
  const wrong = codeAt(secret, clock.now() + 3_600_000)
  for (const code of [wrong, '', 'x', codeAt(secret, clock.now() - 120_000)])
    t.match(await add(code), { status: 400 }, code)
  const code = codeAt(secret, clock.now())
  t.match(await add(code, `${setup.slice(0, -1)}0`), { status: 400 }, 'a changed setup')
  const other = await withPassword()
  t.match(await other.post(`${at}/app`, { setup, code }), { status: 400 }, 'the setup of another account')
  const added = (await add(`${code.slice(0, 3)} ${code.slice(3)}`)).body
  t.equal(new Set(added.recovery_codes).size, 10)
  t.match(added.recovery_codes[0], /^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/)
  t.match(await add(code), { status: 400, body: { msg: /already/ } }, 'one app')
  t.match((await page.json('GET', at)).body, { app: { created: Number }, recovery_codes: 10 })
  t.equal((await away.json('GET', '/users/me')).status, 401, 'sessions without the factor have ended')
  t.equal((await ann.get('/users/me')).status, 200, 'the key stays')
  t.match(await mails(), [{ to: ann.email, text: /authenticator app was added/ }])
  const [entry] = await server.sql`select * from audit_log where event = 'factor_change' order by id desc limit 1`
  t.match(entry, { actor_id: ann.id, subject: { user_id: ann.id }, after: { factors: 'app_added' } })
  const stored = JSON.stringify(await server.sql`select code_hash::text from recovery_codes where user_id = ${ann.id}`)
  for (const one of added.recovery_codes) t.notOk(stored.includes(one))
})

t.test('a setup that is too old is refused', async t => {
  const ann = await withPassword()
  const { secret, setup } = await ann.ok('POST', `${at}/app/setup`, { proof: await proofOf(ann) })
  const now = clock.now()
  clock.now = () => now + 901_000
  t.match(await ann.post(`${at}/app`, { setup, code: codeAt(secret, clock.now()) }), { status: 400 })
  clock.now = () => Date.now()
})

t.test('a change of factors needs a proof that is new, of the account and of its present password', async t => {
  const [ann, bob] = [await withPassword(), await withPassword()]
  t.match(await ann.post(`${at}/proof`, { password: 'wrong' }), { status: 400, body: { msg: /incorrect/ } })
  t.match(await ann.post(`${at}/proof`), { status: 400 }, 'a key alone proves nothing')
  const { proof } = await addApp(server, ann, password)
  const refused = async (given: string, why: string) => {
    t.equal((await ann.post(`${at}/app/setup`, { proof: given })).status, 400, why)
    t.equal((await ann.delete(`${at}/app`, { proof: given })).status, 400, why)
    t.equal((await ann.post(`${at}/recovery_codes`, { proof: given })).status, 400, why)
  }
  await refused('', 'none')
  await refused(`${proof}00`, 'changed')
  await refused(await proofOf(bob), 'of another account')
  const now = clock.now()
  clock.now = () => now + 601_000
  await refused(proof, 'too old')
  clock.now = () => Date.now()
  await givePassword(server.sql, ann)
  await refused(proof, 'of a former password')
})

t.test(
  'a new session that began without a password proves who its user is; one that began with it does not',
  async t => {
    const ann = await withPassword()
    const page = await new Browser(server.url).signIn(ann)
    const prove = () => page.json('POST', `${at}/proof`)
    t.match(await prove(), { status: 400, body: { msg: /password/ } })
    await server.sql`update sessions set method = 'oidc:company' where user_id = ${ann.id}`
    t.match(await prove(), { status: 200, body: { proof: String } })
    await server.sql`update sessions set created = now() - interval '11 minutes' where user_id = ${ann.id}`
    t.equal((await prove()).status, 400)
  },
)

t.test('recovery codes are replaced, and go with the last factor', async t => {
  const ann = await withPassword()
  t.equal((await ann.post(`${at}/recovery_codes`, { proof: await proofOf(ann) })).status, 400, 'no factor')
  t.equal((await ann.delete(`${at}/app`, { proof: await proofOf(ann) })).status, 400, 'no app')
  const { proof, recoveryCodes } = await addApp(server, ann, password)
  const { recovery_codes } = await ann.ok('POST', `${at}/recovery_codes`, { proof })
  t.equal(new Set([...recovery_codes, ...recoveryCodes]).size, 20)
  await ann.ok('DELETE', `${at}/app`, { proof })
  t.match(await ann.ok('GET', at), { app: null, recovery_codes: 0 })
  t.match(
    (await mails()).filter(({ to }) => to === ann.email).map(({ text }) => text),
    [/was added/, /new recovery codes/, /was removed/],
  )
})

t.test('an administrator removes the factors of a person; only an owner those of an owner', async t => {
  const [owner, admin] = [await withPassword({ role: 100 }), await server.person({ role: 200 })]
  const ann = await withPassword()
  await addApp(server, ann, password)
  await addApp(server, owner, password)
  t.match(await admin.delete(`/users/${owner.id}/factors`), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  t.match(await owner.delete('/users/999999/factors'), { status: 400 })
  t.match(await owner.delete('/users/x/factors'), { status: 404 })
  await mails()
  await admin.ok('DELETE', `/users/${ann.id}/factors`)
  t.match(await mails(), [{ to: ann.email, text: /All second factors were removed/ }])
  t.match(await ann.ok('GET', at), { app: null, recovery_codes: 0 })
  t.match(await new Browser(server.url).signIn(ann), {}, 'the password is enough')
  const [entry] = await server.sql`select * from audit_log where event = 'factor_change' order by id desc limit 1`
  t.match(entry, { actor_id: admin.id, subject: { user_id: ann.id }, after: { factors: 'all_removed' } })
})
