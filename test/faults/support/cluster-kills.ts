import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { keysOf } from '../../../server/redis/keys.js'
import { seeded, seedOf } from '../../support/random.js'
import { redisCluster } from '../../support/redis-cluster.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { services } from '../../support/services.js'
import { Scene } from './scene.js'
import { eventually } from './wait.js'

const rounds = Number(process.env.FAULT_ROUNDS ?? 1)
const slots = 16_384

/**
 * Each master of a Redis Cluster is killed in turn under load, and its replica promoted: the one that has the feed, and those
 * that have only queues. `lostMs`: what the replica may lack by then. The workers put it back, or it comes from the outbox.
 */
export async function killMasters(t: Test, lostMs: number): Promise<void> {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const random = seeded(seed)
  const cluster = await redisCluster(t)
  const organization = await testOrganization(t, { ...(await services(t)), redisUrl: cluster.url })
  const server = await spawnServer(t, { WORKERS: '3', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }, organization)
  const [row] = await server.sql<{ uuid: string }[]>`select uuid from organization`
  const feedSlot = await cluster.slotOf(keysOf(organization.schema, row?.uuid ?? '').feed)
  const scene = await Scene.start(server, { random, pauseMs: 5 })
  scene.send()
  for (let kill = 0; kill < 3 * rounds; kill++) {
    // A slot of each master, that of the feed first.
    const slot = (feedSlot + kill * Math.floor(slots / 3)) % slots
    const master = await cluster.masterOf(slot)
    if (!master) throw new Error(`nobody serves slot ${slot}`)
    const replicas = lostMs > 0 ? await cluster.replicasOf(master) : []
    await sleep(500 + random(1500))
    await Promise.all(replicas.map(replica => replica.stopCopying()))
    if (lostMs > 0) await sleep(random(lostMs))
    await master.kill()
    await eventually('a promoted replica', async () => (await cluster.masterOf(slot)) !== undefined)
    await Promise.all(replicas.map(replica => replica.copyAgain()))
    await sleep(random(1000))
    await master.start()
    await eventually('a cluster that is whole', () => cluster.isWhole())
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  for (const reader of scene.readers) {
    const { closings, failures } = reader as { closings?: object; failures?: object }
    t.comment(reader.name, closings ?? failures)
  }
  t.same(scene.ledger.failures(), {}, 'senders notice nothing: what they send is in PostgreSQL')
}
