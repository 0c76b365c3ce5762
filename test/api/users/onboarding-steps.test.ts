import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/onboarding_steps'
const fetched = { fetch_event_types: ['onboarding_steps'] }
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('a step that was seen is shown no more, on no device', async t => {
  const person = await server.person({ isNew: true })
  const left = async () => (await person.ok('POST', '/register', fetched)).onboarding_steps
  const before = await left()
  t.equal(before.length, 8)
  t.match(before, [{ type: 'one_time_notice', name: 'intro_inbox_view_modal' }])
  t.notOk(before.some((step: { name: string }) => step.name === 'visibility_policy_banner'))
  const ear = await Listener.start(server.ctx, person)
  for (let i = 0; i < 2; i++) await person.ok('POST', path, { onboarding_step: 'intro_inbox_view_modal' })
  const after = await left()
  t.same(after, before.slice(1))
  t.match(
    (await ear.inStep(t)).map(({ type, onboarding_steps }) => [type, onboarding_steps]),
    [['onboarding_steps', after]],
  )
  t.match(await person.post(path, { onboarding_step: 'no such step' }), bad)
  t.match(await person.post(path, { onboarding_step: 'toString' }), bad)
  t.equal((await person.post(path)).status, 400)
  t.same(await left(), after)
})

t.test('bots see none', async t => {
  const bot = await server.person({ bot_type: 1 })
  t.same((await bot.ok('POST', '/register', fetched)).onboarding_steps, [])
  t.match(await bot.post(path, { onboarding_step: 'intro_inbox_view_modal' }), bad)
})
