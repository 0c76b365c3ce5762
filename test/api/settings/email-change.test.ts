import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { Listener } from '../../support/in-step.js'
import { newMails, type ReadMail } from '../../support/mails.js'
import { limitGuests, setOrganization, setUser } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'

const path = '/settings'
const badRequest = { status: 400, body: { code: 'BAD_REQUEST' } }
const gone = { status: 404, body: { code: 'BAD_REQUEST' } }

/** A server, its clock, and the emails since the last call. */
async function scene(t: Teardown) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServer(t, { DATA_DIR: dataDir })
  const time = { now: Date.now() }
  server.ctx.clock.now = () => time.now
  const mails = newMails(server.sql, dataDir)
  const keyIn = (mail: ReadMail | undefined) =>
    /confirm_new_email\/([A-Za-z0-9]{32})/.exec(mail?.text ?? '')?.[1] ?? 'none'
  const confirm = async (key: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}/accounts/confirm_new_email/${key}`, init)
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  return { server, time, mails, keyIn, confirm }
}

t.test('a new address counts when its owner has opened the link of the mail', async t => {
  const { server, mails, keyIn, confirm } = await scene(t)
  const [person, other] = [await server.person(), await server.person()]
  const hidden = await server.person({ email_address_visibility: 4 })
  const listener = await Listener.start(server.ctx, other)
  await person.ok('PATCH', path, { email: ' New@test.example ', enter_sends: true })
  t.equal((await person.ok('GET', '/users/me')).delivery_email, person.email, 'not yet')
  t.same(await listener.inStep(t), [])
  const [mail, ...rest] = await mails()
  t.same(rest, [])
  t.equal(mail?.to, 'New@test.example')
  t.match(mail?.text, `${server.ctx.publicUrl}/accounts/confirm_new_email/${keyIn(mail)}`)
  t.match(mail?.html, `href="${server.ctx.publicUrl}/accounts/confirm_new_email/${keyIn(mail)}"`)
  for (const method of ['HEAD', 'POST', 'OPTIONS'])
    t.equal((await confirm(keyIn(mail), { method })).status, 405, method)
  t.match(await confirm(keyIn(mail)), { status: 200, body: /<title>Confirmed</ })
  const [notice, ...others] = await mails()
  t.same(others, [])
  t.match(notice, { to: person.email, text: /New@test\.example/ }, 'the former address gets a mail')
  const renamed = server.api({ email: 'new@test.example', api_key: person.api_key })
  t.match(await renamed.ok('GET', '/users/me'), { email: 'New@test.example', delivery_email: 'New@test.example' })
  t.equal((await person.get('/users/me')).status, 401, 'the former one is nobody’s')
  const told = (await listener.inStep(t)).map(event => Object.keys(event.person).sort())
  t.same(told.filter(keys => keys.includes('delivery_email')).length, 1)
  t.same(told.filter(keys => keys.includes('new_email')).length, 1)
  t.match(await confirm(keyIn(mail)), gone, 'once')

  await hidden.ok('PATCH', path, { email: 'secret@test.example' })
  t.equal((await confirm(keyIn((await mails())[0]))).status, 200)
  t.same(await listener.inStep(t), [], 'who does not see the address is not told')
  t.match(await mails(), [{ to: hidden.email }])
  await renamed.ok('PATCH', path, { email: 'New@test.example' })
  t.same(await mails(), [], 'the one that one has needs no mail')
})

// Another person may have asked for it, with the former password.
t.test('a link counts no longer when its account has a new password', async t => {
  const { server, mails, keyIn, confirm } = await scene(t)
  const person = await server.person()
  await server.sql`update users set password_hash = ${await hashPassword('the former password')} where id = ${person.id}`
  await person.ok('PATCH', path, { email: 'thief@test.example' })
  await person.ok('PATCH', path, { old_password: 'the former password', new_password: 'seven tall wooden boats' })
  t.match(await confirm(keyIn((await mails())[0])), gone)
  t.equal((await person.ok('GET', '/users/me')).delivery_email, person.email)
})

// A confirmation link must not undo a later change of the address by an owner.
t.test('a link counts no longer when an owner has changed the address', async t => {
  const { server, mails, keyIn, confirm } = await scene(t)
  const [person, owner] = [await server.person(), await server.person({ role: 100 })]
  await setUser(server.sql, owner.id, { can_change_user_emails: true })
  await person.ok('PATCH', path, { email: 'wanted@test.example' })
  await owner.ok('PATCH', `/users/${person.id}`, { new_email: 'given@test.example' })
  t.match(await confirm(keyIn((await mails())[0])), gone)
  t.match(await owner.ok('GET', `/users/${person.id}`), { user: { delivery_email: 'given@test.example' } })
})

t.test('an address that is bad, taken or not to be changed is refused, and nothing else is done', async t => {
  const { server, mails } = await scene(t)
  const [person, other, admin] = [await server.person(), await server.person(), await server.person({ role: 200 })]
  for (const email of ['', 'no address', 'a b@test.example', '@x', 'x@']) {
    t.match(await person.patch(path, { email, enter_sends: true }), badRequest, email)
  }
  const seeing = await server.person()
  for (const email of [other.email, other.email.toUpperCase()]) {
    t.match(await seeing.patch(path, { email, enter_sends: true }), badRequest, email)
  }
  t.match(await person.patch(path, { email: 'good@test.example', full_name: 'x' }), badRequest)
  t.match(await person.patch(path, { email: 'good@test.example', old_password: 'x', new_password: 'y' }), badRequest)
  await setOrganization(server.sql, { email_changes_disabled: true })
  t.match(await person.patch(path, { email: 'good@test.example' }), badRequest)
  t.same(await mails(), [])
  t.notOk((await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings.enter_sends)
  await admin.ok('PATCH', path, { email: 'good@test.example' })
  t.equal((await mails()).length, 1, 'administrators may')
})

t.test(
  'whether an address that the caller does not see is taken shows neither in the answer nor in the limit',
  async t => {
    const { server, mails, keyIn, confirm } = await scene(t)
    const hidden = await server.person({ email_address_visibility: 4 })
    const seen = await server.person()
    const member = await server.person()
    const asks = async (email: string) => {
      const { status, body } = await member.patch(path, { email })
      return { status, body }
    }
    t.same(await asks(hidden.email), { status: 200, body: { result: 'success', msg: '' } })
    const [mail, ...rest] = await mails()
    t.same(rest, [])
    t.equal(mail?.to, hidden.email)
    t.match(mail?.text, /Another account there has it already/)
    t.match(await confirm(keyIn(mail)), gone, 'without a link')
    t.same(await asks('free@test.example'), { status: 200, body: { result: 'success', msg: '' } })
    t.equal((await mails()).length, 1)
    // Every further request is refused in the same way, whatever the address.
    for (const email of [hidden.email, hidden.email.toUpperCase(), 'other@test.example', seen.email]) {
      t.match(await asks(email), { status: 429, body: { code: 'RATE_LIMIT_HIT' } }, email)
    }
    t.same(await mails(), [])
    t.equal((await member.ok('GET', '/users/me')).delivery_email, member.email)
  },
)

t.test('a guest who may not know an account does not learn its address', async t => {
  const { server, mails } = await scene(t)
  await limitGuests(server.sql)
  const [guest, stranger] = [await server.person({ role: 600 }), await server.person()]
  t.equal((await guest.patch(path, { email: stranger.email })).status, 200)
  t.match((await mails())[0]?.text, /Another account there has it already/)
})

t.test('an address that is seen to be taken counts, too', async t => {
  const { server } = await scene(t)
  const [person, other] = [await server.person(), await server.person()]
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await person.patch(path, { email: other.email })).status)
  t.same(statuses, [400, 400, 429])
})

t.test('two addresses an hour, five a day', async t => {
  const { server, time } = await scene(t)
  const person = await server.person()
  let number = 0
  const change = async () => (await person.patch(path, { email: `n${++number}@test.example` })).status
  t.same([await change(), await change(), await change()], [200, 200, 429])
  const refused = await person.patch(path, { email: 'x@test.example' })
  t.match(refused.body, { code: 'RATE_LIMIT_HIT', 'retry-after': 3600 })
  time.now += 3_600_000
  t.same([await change(), await change(), await change()], [200, 200, 429])
  time.now += 3_600_000
  t.same([await change(), await change()], [200, 429])
  time.now += 22 * 3_600_000
  t.equal(await change(), 200)
})

t.test('a link expires after a day, with the next link, and when another account has taken the address', async t => {
  const { server, time, mails, keyIn, confirm } = await scene(t)
  const [person, other] = [await server.person(), await server.person()]
  const ask = async (one: typeof person, email: string) => {
    await one.ok('PATCH', path, { email })
    return keyIn((await mails())[0])
  }
  const first = await ask(person, 'first@test.example')
  const second = await ask(person, 'second@test.example')
  t.match(await confirm(first), gone)
  time.now += 86_400_001
  t.match(await confirm(second), gone)
  const keys = [await ask(person, 'both@test.example'), await ask(other, 'both@test.example')]
  const race = await Promise.all(keys.map(key => confirm(key)))
  t.same(race.map(answer => answer.status).sort(), [200, 400])
  t.match(await confirm('x'.repeat(32)), gone)
  t.match(await confirm('short'), gone)
})
