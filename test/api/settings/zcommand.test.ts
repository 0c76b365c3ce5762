import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('commands change the look, and say how to change it back', async t => {
  const person = await server.person()
  const ear = await Listener.start(server.ctx, person)
  const run = async (command: string) => (await person.ok('POST', '/zcommand', { command })).msg
  t.equal(await run('/ping'), '')
  t.match(await run('/night'), 'Changed to night mode! To change back, type /day.')
  t.match(await run('/dark'), 'You are still in night mode.')
  t.match(await run('/light'), 'Changed to day mode')
  t.match(await run('/fluid-width'), 'Changed to fluid-width mode')
  t.match(await run('/fixed-width'), 'Changed to fixed-width mode')
  t.match(
    (await ear.inStep(t)).map(({ type, property, value }) => [type, property, value]),
    [
      ['user_settings', 'color_scheme', 2],
      ['user_settings', 'color_scheme', 3],
      ['user_settings', 'fluid_layout_width', true],
      ['user_settings', 'fluid_layout_width', false],
    ],
  )
})

t.test('what is no command is refused', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
  for (const command of ['ping', '', '/', '/none', '/ping ', '/toString', '//ping', '/NIGHT']) {
    t.match(await person.post('/zcommand', { command }), bad, command)
  }
  t.equal((await person.post('/zcommand')).status, 400)
  t.match(await bot.post('/zcommand', { command: '/night' }), bad)
})
