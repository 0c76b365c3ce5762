import { restart } from '../../../shared/events/restart.js'
import { featureLevel, serverVersion } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import { claimKey, idempotencyKey, keyLifetimeMinutes } from '../../store/messages/idempotency-keys.js'

/**
 * Sends `restart` to all queues, once for a start of the server (docs/protocol/events.md#restart): the first worker that stores the key of the
 * start emits the event in the same transaction. A worker that replaces another one long after the start has nothing to announce.
 */
export async function announceStart(ctx: Ctx): Promise<void> {
  const { startedAt, clock, directory, config } = ctx
  if (clock.now() - startedAt >= keyLifetimeMinutes * 60_000) return
  const payload = {
    server_generation: Math.floor(startedAt / 1000),
    [`${config.wireBrand}_version`]: serverVersion,
    [`${config.wireBrand}_merge_base`]: serverVersion,
    [`${config.wireBrand}_feature_level`]: featureLevel,
  }
  const key = idempotencyKey(0, 'start', String(startedAt))
  await ctx.write(async (tx, emit) => {
    if (await claimKey(tx, { key })) emit(restart, payload, [...directory.users.keys()])
  })
}
