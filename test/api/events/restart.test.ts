import t from 'tap'
import { announceStart } from '../../../server/actions/announce/start.js'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

t.test('a start is announced once, whichever of the workers announces it', async t => {
  const { ctx, person } = await startServer(t)
  const ear = await Listener.start(ctx, await person())
  const started = { ...ctx, startedAt: Date.now() }
  await announceStart(started)
  await announceStart(started)
  const [event, ...more] = await ear.inStep(t)
  t.match(event, {
    type: 'restart',
    server_generation: Math.floor(started.startedAt / 1000),
    service_feature_level: 500,
  })
  t.same(more, [])
})

t.test('a worker that begins long after the start announces nothing', async t => {
  const { ctx, person } = await startServer(t)
  const ear = await Listener.start(ctx, await person())
  await announceStart({ ...ctx, startedAt: Date.now() - 3_600_000 })
  t.same(await ear.events(), [])
})
