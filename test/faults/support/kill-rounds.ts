import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { anyOf } from '../../support/random.js'
import type { TestServer } from '../../support/server.js'
import { kills } from './amounts.js'
import { begin } from './begin.js'
import { eventually, seldom } from './wait.js'
import { listenersOn, signal, workersOf } from './workers.js'

/** SIGKILL of several of four workers at random moments under load, repeatedly; then everything is counted. */
export async function killWorkers(t: Test, atOnce: number): Promise<void> {
  const settings = { HEARTBEAT_SECONDS: '2' }
  // A high rate of messages, so that kills happen while some are sent.
  const { random, server, scene } = await begin(t, { workers: 4, settings, pauseMs: 10 })
  const port = Number(new URL(server.url).port)
  scene.send()
  for (let killed = 0; killed < kills; killed += atOnce) {
    await sleep(random(800))
    // On a slow machine workers may die faster than they start; the load must continue.
    await eventually('enough that listen', () => listenersOn(port) > atOnce, seldom)
    // Any of them: some fall while they start, and others take over what they have hardly begun with.
    for (let i = 0; i < atOnce; i++) signal(anyOf(workersOf(server.process.pid), random), 'SIGKILL')
  }
  await scene.settle(t)
  await eventually('an empty outbox', async () => (await outboxRows(server)) === 0, { everyMs: 200 })
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  t.ok(scene.ledger.count('acknowledged') > kills, 'the load went on')
}

/** Outbox cleanup by other workers deletes the rows of dead workers some time after publishing. */
async function outboxRows({ sql }: TestServer): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from outbox`
  return row?.rows ?? 0
}
