import { RedisCluster } from '../../bench/growth/redis-cluster.js'
import type { Teardown } from './services.js'

export type { RedisCluster }

/** Three masters with a replica each, stopped after the test. */
export async function redisCluster(t: Teardown, replicas = 1): Promise<RedisCluster> {
  const cluster = await RedisCluster.start({ masters: 3, replicas })
  t.teardown(() => cluster.stop())
  return cluster
}
