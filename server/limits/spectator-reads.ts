import { createHash } from 'node:crypto'
import { budgets } from '../config/budgets.js'
import type { Ctx } from '../ctx.js'
import { RequestCounts } from './request-counts.js'

const daySeconds = 86_400

/**
 * Counts that a spectator reads a file. False: over all workers, spectators have read it too often today
 * (docs/protocol/files.md#who-may-read-a-file).
 * @throws while Redis is unavailable
 */
export async function maySpectatorRead(
  { redis, config, directory, clock }: Pick<Ctx, 'redis' | 'config' | 'directory' | 'clock'>,
  pathId: string,
): Promise<boolean> {
  const counts = new RequestCounts(redis, config.keyPrefix, directory.organization.uuid)
  const file = createHash('sha256').update(pathId).digest('base64url')
  const day = Math.floor(clock.now() / 1000 / daySeconds)
  return (await counts.add(`file:${file}`, day, 1, daySeconds)) <= budgets.spectatorReads.most
}
