// The disk of PostgreSQL and Redis is full, in a setup like that of `npm start`. Writes are refused, no acknowledged
// write is lost, and the server recovers without an operator when there is room again.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { randomOf, startScene } from './support/begin.js'
import { call } from './support/call.js'
import { Program } from './support/program.js'
import { smallDisk } from './support/small-disk.js'
import { eventually } from './support/wait.js'

// Enough for what both databases write in this test.
const megabytes = 500
const fullMs = 3000

t.test('the disk is full', async t => {
  const disk = await smallDisk(t, megabytes)
  if (!disk) return void t.pass('a disk that is full', { skip: 'no small file system may be mounted here' })
  const random = randomOf(t)
  const settings = { WORKERS: '2', LOG_LEVEL: process.env.FAULT_LOG ?? 'silent' }
  const program = await Program.start(t, settings, disk.path)
  const scene = await startScene(t, program, { random })
  const writer = await program.person()
  scene.send()
  for (let round = 0; round < rounds; round++) {
    await scene.passes(50)
    await sleep(random(500))
    disk.fill()
    // Writes succeed while existing files have room; then the server refuses them.
    let told: Awaited<ReturnType<typeof call>> | undefined
    await eventually('a write that is refused', async () => {
      told = await call(writer, 'POST', '/users/me/subscriptions', {
        params: {
          subscriptions: [{ name: `room ${random(2 ** 30)}` }],
        },
      })
      return told.status !== 200
    })
    t.match(told, { status: 503, body: { result: 'error', code: 'SERVER_NOT_READY' } }, String(told?.body.msg))
    await sleep(random(fullMs))
    disk.empty()
    await scene.passes(50)
    await scene.arrives()
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  const allowed = /^(unknown: (503 SERVER_NOT_READY|TIMEOUT)|refused: 503 SERVER_NOT_READY)$/
  t.same(
    Object.keys(scene.ledger.failures()).filter(failure => !allowed.test(failure)),
    [],
    'senders were told nothing else',
  )
})
