import { createHash } from 'node:crypto'
import type { Clock } from '../concurrency/clock.js'
import { budgets } from '../config/budgets.js'
import type { Config } from '../config.js'
import type { Directory } from '../memory/directory.js'
import type { RedisClient } from '../redis/client.js'
import { RequestCounts } from './request-counts.js'

const daySeconds = 86_400

interface Deps {
  readonly redis: RedisClient
  readonly config: Config
  readonly directory: Directory
  readonly clock: Clock
}

/**
 * Counts that a spectator reads a file. False: over all workers, spectators have read it too often today
 * (docs/protocol/files.md#who-may-read-a-file).
 * @throws while Redis is unavailable
 */
export async function maySpectatorRead({ redis, config, directory, clock }: Deps, pathId: string): Promise<boolean> {
  const counts = new RequestCounts(redis, config.keyPrefix, directory.organization.uuid)
  const file = createHash('sha256').update(pathId).digest('base64url')
  const day = Math.floor(clock.now() / 1000 / daySeconds)
  return (await counts.add(`file:${file}`, day, 1, daySeconds)) <= budgets.spectatorReads.most
}
