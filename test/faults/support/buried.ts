import type { Redis } from 'ioredis'
import type { TestServer } from '../../support/server.js'

/** Whether other workers have declared a worker dead and adopted its queues. */
export async function isBuried(redis: Redis, { organization }: TestServer, pid: number): Promise<boolean> {
  const keys = await redis.keys(`${organization.schema}:workers:*:checkpoints`)
  const workers = await Promise.all(keys.map(key => redis.hkeys(key)))
  return !workers.flat().some(id => id.split(':')[1] === String(pid))
}
