// SIGTERM under load: all workers are replaced one by one, and no client's request fails.
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { begin } from './support/begin.js'
import { ClientReader } from './support/client-reader.js'
import { PlainReader } from './support/plain-reader.js'
import { PollReader } from './support/poll-reader.js'
import { eventually, seldom } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

const count = 2

// With 1 the kernel passes pending connections of a closed listening socket to the other workers.
const migrateSetting = '/proc/sys/net/ipv4/tcp_migrate_req'
const isGapClosed = existsSync(migrateSetting) && readFileSync(migrateSetting, 'utf8').trim() === '1'

/** The failures except for connections made while a port closes, which the kernel resets (docs/operations.md). */
function withoutGap(failures: Record<string, number>): Record<string, number> {
  const gap = Object.keys(failures).find(name => /^unknown: new connection: ECONNRESET/.test(name))
  if (isGapClosed || gap === undefined || failures[gap] !== 1) return failures
  const { [gap]: _one, ...rest } = failures
  return rest
}

t.test('the supervisor replaces its workers one by one, and asks each old worker to stop', async t => {
  const { server, scene } = await begin(t, { workers: count, settings: { HEARTBEAT_SECONDS: '2' } })
  const supervisor = server.process.pid as number
  scene.send()
  await scene.passes(50)

  const old = workersOf(supervisor)
  signal(supervisor, 'SIGUSR2')
  const areNew = () => {
    const now = workersOf(supervisor)
    return now.length === count && now.every(worker => !old.includes(worker))
  }
  await eventually('new workers alone', areNew)
  await scene.passes(50)

  for (const worker of workersOf(supervisor)) {
    signal(worker, 'SIGTERM')
    await eventually('that it has gone', () => !workersOf(supervisor).includes(worker))
    await eventually('another in its place', () => listenersOn(Number(new URL(server.url).port)) === count, seldom)
    await scene.passes(50)
  }

  await scene.settle(t)
  t.same(
    withoutGap(scene.ledger.failures()),
    {},
    `${scene.ledger.sends.length} messages, none of them refused or without an answer`,
  )
  for (const reader of scene.readers) {
    if (reader instanceof PollReader) t.same(reader.failures, {}, `${reader.name}: every poll was answered`)
    if (reader instanceof ClientReader || reader instanceof PlainReader) {
      t.match(Object.keys(reader.closings).join(), /^(1012)?$/, `${reader.name}: its sockets were closed with 1012`)
    }
  }
})
