import type { RedisClient } from './client.js'
import { infoField } from './info-field.js'

/**
 * Sentences about settings of Redis with which event queues get lost, each with what to do. Says nothing of what Redis does not tell: services
 * that run Redis for others often refuse CONFIG.
 */
export async function settingComplaints(redis: RedisClient): Promise<string[]> {
  const infos = await redis.onEachMaster('INFO').catch(() => [])
  const fsyncs = await redis.onEachMaster('CONFIG', 'GET', 'appendfsync').catch(() => [])
  const facts = (name: string) => infos.map(info => infoField(String(info), name))
  const policy = facts('maxmemory_policy').find(one => one !== undefined && one !== 'noeviction')
  const complaints: string[] = []
  if (policy !== undefined)
    complaints.push(
      `Redis deletes event queues when its memory is full (maxmemory-policy ${policy}): set maxmemory-policy noeviction.`,
    )
  if (facts('aof_enabled').includes('0'))
    complaints.push('Redis keeps no append-only file, so its restart loses event queues: set appendonly yes.')
  else if (fsyncs.some(answer => String(answer).endsWith('no')))
    complaints.push(
      'Redis does not flush its append-only file (appendfsync no), so a power failure loses event queues: set appendfsync everysec.',
    )
  return complaints
}
