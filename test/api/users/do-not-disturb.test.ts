import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/do_not_disturb'
const fetched = { fetch_event_types: ['do_not_disturb'] }
const night = { from: 22 * 60, to: 7 * 60 }
const later = () => Math.floor(server.ctx.clock.now() / 1000) + 3600

t.test('both parts are changed alone and together, and only the account itself learns of it', async t => {
  const [ada, mary] = [await server.person(), await server.person()]
  const now = async () => (await ada.ok('POST', '/register', fetched)).do_not_disturb
  t.same(await now(), { until: null, quiet_hours: null })
  const [ear, other] = [await Listener.start(server.ctx, ada), await Listener.start(server.ctx, mary)]
  const until = later()
  const steps: [object, object][] = [
    [{ until }, { until, quiet_hours: null }],
    [{ quiet_hours: night }, { until, quiet_hours: night }],
    [{ until: null }, { until: null, quiet_hours: night }],
    [
      { until: until + 1, quiet_hours: null },
      { until: until + 1, quiet_hours: null },
    ],
  ]
  for (const [change, all] of steps) {
    await ada.ok('PATCH', path, { ...change })
    t.match(await ear.inStep(t), [{ type: 'do_not_disturb', ...all }])
    t.same(await now(), all)
  }
  for (const same of [{ until: until + 1 }, {}]) await ada.ok('PATCH', path, { ...same })
  t.same(kinds(await ear.inStep(t)), [], 'nothing changed')
  t.same(kinds(await other.inStep(t)), [])
  await ada.ok('PATCH', '/settings', { enable_sounds: false })
  t.same(await now(), { until: until + 1, quiet_hours: null }, 'a change of a setting keeps it')
})

t.test('refused', async t => {
  const ada = await server.person()
  const cases: object[] = [
    { until: 0 },
    { until: later() - 7200 },
    { until: 253_402_300_800 },
    { until: 'soon' },
    { until: 1.5 },
    { quiet_hours: { from: 0 } },
    { quiet_hours: { from: -1, to: 5 } },
    { quiet_hours: { from: 0, to: 1440 } },
    { quiet_hours: [1, 2] },
    { quiet_hours: 'night', until: null },
  ]
  for (const params of cases)
    t.match(
      await ada.patch(path, { ...params }),
      { status: 400, body: { code: 'BAD_REQUEST' } },
      JSON.stringify(params),
    )
  t.same((await ada.ok('POST', '/register', fetched)).do_not_disturb, { until: null, quiet_hours: null })
})

t.test('who may', async t => {
  const params = () => ({ quiet_hours: night })
  for (const role of [100, 200, 300, 400, 600] as const)
    await (await server.person({ role })).ok('PATCH', path, params())
  await (await server.person({ date_joined: new Date() })).ok('PATCH', path, params())
  const bot = await server.person({ bot_type: 1, bot_owner_id: (await server.person()).id })
  t.match(await bot.patch(path, params()), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await (await server.person({ is_active: false })).patch(path, params())).status, 401)
  t.equal((await server.api(null).patch(path, params())).status, 401)
})

t.test('a status ends at its time, for all who see it', async t => {
  const [ada, mary] = [await server.person(), await server.person()]
  const ears = [await Listener.start(server.ctx, ada), await Listener.start(server.ctx, mary)]
  const soon = Math.floor(server.ctx.clock.now() / 1000) + 2
  await ada.ok('POST', '/users/me/status', { status_text: 'at lunch', emoji_name: 'bento', expires_at: soon })
  const status = async () => (await mary.ok('GET', `/users/${ada.id}/status`)).status
  t.match(await status(), { status_text: 'at lunch', emoji_name: 'bento', expires_at: soon })
  while ((await status()).status_text) await new Promise(resolve => setTimeout(resolve, 100))
  t.same(await status(), {})
  const gone = { type: 'user_status', user_id: ada.id, status_text: '', emoji_name: '', expires_at: null }
  for (const ear of ears) t.match(await ear.inStep(t), [{ status_text: 'at lunch', expires_at: soon }, gone])
})

t.test('all who see a status read when it ends, and events say where that changes', async t => {
  const [ada, mary, admin] = [await server.person(), await server.person(), await server.person({ role: 200 })]
  const ear = await Listener.start(server.ctx, mary)
  const [first, second] = [later(), later() + 60]
  const status = async () => (await mary.ok('GET', `/users/${ada.id}/status`)).status
  const steps: readonly (readonly [object, number | undefined, object])[] = [
    [{ status_text: 'one' }, undefined, {}],
    [{ status_text: 'one', expires_at: first }, first, { expires_at: first }],
    [{ emoji_name: 'bento', expires_at: first }, first, {}],
    [{ status_text: 'two', expires_at: second }, second, { expires_at: second }],
    [{ status_text: 'three' }, undefined, { expires_at: null }],
    [{ status_text: 'four', expires_at: second }, second, { expires_at: second }],
    [{ status_text: '', emoji_name: '' }, undefined, { expires_at: null }],
  ]
  for (const [params, end, changed] of steps) {
    await ada.ok('POST', '/users/me/status', { ...params })
    t.equal((await status()).expires_at, end)
    const [event, ...more] = await ear.inStep(t)
    t.same(more, [])
    t.same('expires_at' in (event ?? {}) ? { expires_at: event?.expires_at } : {}, changed)
    t.equal(ear.state.user_status[ada.id]?.expires_at, end)
  }
  await ada.ok('POST', '/users/me/status', { status_text: 'five', expires_at: second })
  await admin.ok('POST', `/users/${ada.id}/status`, { status_text: 'by an administrator' })
  t.match(await ear.inStep(t), [{ expires_at: second }, { expires_at: null }])
  t.equal((await status()).expires_at, undefined)
})

t.test('another status takes the end of the earlier one away', async t => {
  const ada = await server.person()
  const jobs = () => server.sql`select payload from jobs where kind = 'status-end' and key = ${`status ${ada.id}`}`
  const change = (params: object) => ada.ok('POST', '/users/me/status', { ...params })
  await change({ status_text: 'one', expires_at: later() })
  await change({ status_text: 'two', expires_at: later() + 60 })
  t.match(await jobs(), [{ payload: { user_id: ada.id } }])
  await change({ away: true })
  t.equal((await jobs()).length, 1, 'what is no status changes no end')
  await change({ status_text: 'three', expires_at: null })
  t.same([...(await jobs())], [])
  for (const params of [
    { expires_at: later() },
    { status_text: 'x', expires_at: 5 },
    { status_text: 'x', expires_at: 'x' },
    { status_text: 'x', expires_at: 253_402_300_800 },
  ])
    t.match(await ada.post('/users/me/status', params), { status: 400, body: { code: 'BAD_REQUEST' } })
})
