import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { setOrganization, setUser } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'

const path = '/settings'
const badRequest = { status: 400, body: { code: 'BAD_REQUEST' } }

/** A server, its clock, and the mails that it has written since the last look. */
async function scene(t: Teardown) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServer(t, { DATA_DIR: dataDir })
  const time = { now: Date.now() }
  server.ctx.clock.now = () => time.now
  const read = new Set<string>()
  const mails = async (): Promise<string[]> => {
    const names = await readdir(join(dataDir, 'mail')).catch(() => [])
    const fresh = names.filter(name => !read.has(name)).sort()
    for (const name of fresh) read.add(name)
    const texts = await Promise.all(fresh.map(name => readFile(join(dataDir, 'mail', name), 'utf8')))
    // Long lines are folded.
    return texts.map(text => text.replace(/=\r?\n/g, ''))
  }
  const keyIn = (mail: string | undefined) => /confirm_new_email\/([A-Za-z0-9]{32})/.exec(mail ?? '')?.[1] ?? 'none'
  return { server, time, mails, keyIn, confirm: (key: string) => server.api(null).get(`/confirm_new_email/${key}`) }
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
  t.match(mail, /^To: New@test\.example\r?$/m)
  t.equal((await confirm(keyIn(mail))).status, 200)
  const renamed = server.api({ email: 'new@test.example', api_key: person.api_key })
  t.match(await renamed.ok('GET', '/users/me'), { email: 'New@test.example', delivery_email: 'New@test.example' })
  t.equal((await person.get('/users/me')).status, 401, 'the former one is nobody’s')
  const told = (await listener.inStep(t)).map(event => Object.keys(event.person).sort())
  t.same(told.filter(keys => keys.includes('delivery_email')).length, 1)
  t.same(told.filter(keys => keys.includes('new_email')).length, 1)
  t.match(await confirm(keyIn(mail)), badRequest, 'once')

  await hidden.ok('PATCH', path, { email: 'secret@test.example' })
  t.equal((await confirm(keyIn((await mails())[0]))).status, 200)
  t.same(await listener.inStep(t), [], 'who does not see the address is not told')
  await renamed.ok('PATCH', path, { email: 'New@test.example' })
  t.same(await mails(), [], 'the one that one has needs no mail')
})

// The link took the account back, up to a day after an owner had given it another address.
t.test('a link counts no longer when an owner has changed the address', async t => {
  const { server, mails, keyIn, confirm } = await scene(t)
  const [person, owner] = [await server.person(), await server.person({ role: 100 })]
  await setUser(server.sql, owner.id, { can_change_user_emails: true })
  await person.ok('PATCH', path, { email: 'wanted@test.example' })
  await owner.ok('PATCH', `/users/${person.id}`, { new_email: 'given@test.example' })
  t.match(await confirm(keyIn((await mails())[0])), badRequest)
  t.match(await owner.ok('GET', `/users/${person.id}`), { user: { delivery_email: 'given@test.example' } })
})

t.test('an address that is bad, taken or not to be changed is refused, and nothing else is done', async t => {
  const { server, mails } = await scene(t)
  const [person, other, admin] = [await server.person(), await server.person(), await server.person({ role: 200 })]
  for (const email of ['', 'no address', 'a b@test.example', other.email, other.email.toUpperCase(), '@x', 'x@']) {
    t.match(await person.patch(path, { email, enter_sends: true }), badRequest, email)
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

t.test('a link ends after a day, with the next one, and when the address was taken meanwhile', async t => {
  const { server, time, mails, keyIn, confirm } = await scene(t)
  const [person, other] = [await server.person(), await server.person()]
  const ask = async (one: typeof person, email: string) => {
    await one.ok('PATCH', path, { email })
    return keyIn((await mails())[0])
  }
  const first = await ask(person, 'first@test.example')
  const second = await ask(person, 'second@test.example')
  t.match(await confirm(first), badRequest)
  time.now += 86_400_001
  t.match(await confirm(second), badRequest)
  const keys = [await ask(person, 'both@test.example'), await ask(other, 'both@test.example')]
  const race = await Promise.all(keys.map(confirm))
  t.same(race.map(answer => answer.status).sort(), [200, 400])
  t.match(await confirm('x'.repeat(32)), badRequest)
  t.match(await confirm('short'), badRequest)
})
