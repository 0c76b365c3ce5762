// The machine falls: supervisor, workers, PostgreSQL and Redis are ended at once and started again on the same data. And
// the supervisor falls alone.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { randomOf, startScene } from './support/begin.js'
import { Program } from './support/program.js'
import { signal } from './support/workers.js'

const settings = { WORKERS: '2', HEARTBEAT_SECONDS: '2' }

t.test('all processes are killed at once, and then the supervisor alone', async t => {
  const random = randomOf(t)
  const program = await Program.start(t, settings)
  const scene = await startScene(t, program, { random })
  scene.send()
  for (let round = 0; round < rounds; round++) {
    await scene.passes(50)
    await sleep(random(500))
    await program.kill()
    await program.begin()
  }
  await scene.passes(50)
  await sleep(random(500))
  const orphans = program.processes().slice(1)
  await program.kill([program.pid])
  // It ends what is left of the first one, and goes on with its data.
  await program.begin()
  await scene.passes(50)
  await scene.settle(t)
  const now = program.processes()
  t.same(
    orphans.filter(pid => !now.includes(pid) && signal(pid, 'SIGCONT')),
    [],
    'nothing of the first one is left',
  )
})
