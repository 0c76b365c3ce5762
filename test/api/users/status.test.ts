import t from 'tap'
import { reactivateUser } from '../../../server/actions/users/reactivate.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
const brand = server.ctx.config.wireBrand
const path = '/users/me/status'
const statusOf = async (viewer: Person, { id }: Person) => (await viewer.ok('GET', `/users/${id}/status`)).status
const listeners = (...people: Person[]) => Promise.all(people.map(person => Listener.start(server.ctx, person)))
const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }

t.test('a status has a text and an emoji; a request changes the parts that it names', async t => {
  const [owner, viewer] = [await server.person(), await server.person({ role: 600 })]
  const ears = await listeners(owner, viewer)
  t.same(await statusOf(viewer, owner), {})
  const steps: [Loose, Loose, Loose][] = [
    [{ status_text: '  at lunch\n' }, { status_text: 'at lunch' }, { status_text: 'at lunch' }],
    [{ emoji_name: 'smile' }, smile, { status_text: 'at lunch', ...smile }],
    [{ status_text: 'back' }, { status_text: 'back' }, { status_text: 'back', ...smile }],
    [{ status_text: '' }, { status_text: '' }, smile],
    [
      { emoji_name: brand },
      { emoji_name: brand, emoji_code: brand, reaction_type: `${brand}_extra_emoji` },
      { emoji_name: brand, emoji_code: brand, reaction_type: `${brand}_extra_emoji` },
    ],
    [{ emoji_name: '' }, { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }, {}],
    [{ status_text: '😀'.repeat(60), ...smile }, {}, { status_text: '😀'.repeat(60), ...smile }],
  ]
  for (const [request, event, status] of steps) {
    await owner.ok('POST', path, request)
    t.same(await statusOf(viewer, owner), status)
    t.same(checkObject('user_status', status), [])
    for (const ear of ears) {
      t.match(await ear.inStep(t), [{ type: 'user_status', user_id: owner.id, ...event }])
      t.same(ear.state.user_status[owner.id] ?? {}, status)
    }
  }
})

t.test('away is the opposite of presence_enabled, whichever of them changes', async t => {
  const [owner, viewer] = [await server.person(), await server.person()]
  const [own, ear] = (await listeners(owner, viewer)) as [Listener, Listener]
  await owner.ok('POST', path, { away: true, status_text: 'away' })
  t.same(await statusOf(viewer, owner), { away: true, status_text: 'away' })
  t.match(await own.inStep(t), [
    { type: 'user_settings', property: 'presence_enabled', value: false },
    { type: 'user_status', away: true, status_text: 'away' },
  ])
  t.match(await ear.inStep(t), [{ type: 'user_status', user_id: owner.id, away: true }])
  await owner.ok('POST', path, { away: true })
  t.same(kinds(await own.inStep(t)), [], 'nothing changed')
  await owner.ok('PATCH', '/settings', { presence_enabled: true })
  t.same(await statusOf(viewer, owner), { status_text: 'away' })
  await own.inStep(t)
  const events = (await ear.inStep(t)).filter(event => event.type !== 'presence')
  t.match(events, [{ type: 'user_status', user_id: owner.id, away: false }])
})

t.test('administrators change the status of active users', async t => {
  const [admin, owner] = [await server.person({ role: 200 }), await server.person()]
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const gone = await server.person({ is_active: false })
  const ears = await listeners(admin, owner)
  await admin.ok('POST', `/users/${owner.id}/status`, { status_text: 'on leave', ...smile })
  t.same(await statusOf(owner, owner), { status_text: 'on leave', ...smile })
  for (const ear of ears) t.match(await ear.inStep(t), [{ type: 'user_status', user_id: owner.id }])
  const change = { status_text: 'x' }
  const to = (person: Person) => `/users/${person.id}/status`
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  t.match(await owner.post(to(admin), change), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  t.match(await bot.post(to(owner), change), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  for (const target of [to(bot), to(gone), '/users/99999999/status']) t.match(await admin.post(target, change), refused)
  t.match(await admin.post(to(owner)), refused, 'no part')
  t.match(await admin.post(to(owner), { away: true }), refused, 'away is not among the parts')
  for (const ear of ears)
    t.same(
      kinds(await ear.inStep(t)).filter(kind => !/^realm_/.test(kind)),
      [],
    )
})

t.test('refused', async t => {
  const owner = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const [ear] = (await listeners(owner)) as [Listener]
  const cases: Loose[] = [
    {},
    { status_text: 'x'.repeat(61) },
    { status_text: 'a\0b' },
    { emoji_code: '1f642' },
    { status_text: 'x', reaction_type: 'unicode_emoji' },
    { emoji_name: 'no_such_emoji' },
    { ...smile, emoji_name: 'heart' },
    { ...smile, reaction_type: 'realm_emoji' },
    { ...smile, reaction_type: 'x' },
    { ...smile, emoji_code: 'x' },
    { away: 'x', status_text: 'x' },
  ]
  for (const params of cases) {
    t.match(await owner.post(path, params), { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(params))
  }
  t.match(await bot.post(path, { status_text: 'x' }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await owner.get(`/users/${bot.id}/status`), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await owner.get('/users/99999999/status'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await server.api(null).post(path, { status_text: 'x' })).status, 401)
  t.equal((await server.api(null).get(`/users/${owner.id}/status`)).status, 401)
  t.same(await ear.inStep(t), [])
  t.same(await statusOf(owner, owner), {})
})

t.test('a deactivated user keeps its status, and the register answer has it again when it returns', async t => {
  const [admin, owner] = [await server.person({ role: 200 }), await server.person()]
  await owner.ok('POST', path, { status_text: 'travelling' })
  const [ear] = (await listeners(admin)) as [Listener]
  await admin.ok('DELETE', `/users/${owner.id}`)
  await ear.inStep(t)
  t.equal(ear.state.user_status[owner.id], undefined)
  t.same(await statusOf(admin, owner), { status_text: 'travelling' })
  await reactivateUser(server.ctx, owner.id)
  await ear.inStep(t)
  t.same(ear.state.user_status[owner.id], { status_text: 'travelling' })
})

t.test('a guest with limited access learns the status of the users that it comes to know', async t => {
  await limitGuests(server.sql)
  const [owner, stranger, guest] = [await server.person(), await server.person(), await server.person({ role: 600 })]
  await owner.ok('POST', path, { status_text: 'here' })
  const [ear] = (await listeners(guest)) as [Listener]
  t.match(await guest.get(`/users/${owner.id}/status`), { status: 400, body: { code: 'BAD_REQUEST' } })
  await owner.ok('POST', path, { emoji_name: 'smile' })
  t.same(await ear.inStep(t), [])
  await owner.ok('POST', '/messages', { type: 'direct', to: [guest.id], content: 'hello' })
  t.same(kinds(await ear.inStep(t)), ['realm_user/add', 'user_status', 'message'])
  t.same(await statusOf(guest, owner), { status_text: 'here', ...smile })
  await stranger.ok('POST', path, { status_text: 'unseen' })
  t.same(await ear.inStep(t), [])
})
