import { randomBytes } from 'node:crypto'
import { ApiError, badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { WorkerCtx } from '../../ctx.js'
import { eventSubscriptionKey, eventSubscription as job } from '../../job-types/event-subscription.js'
import * as store from '../../store/personal/event-subscriptions.js'
import { lockUser } from '../../store/personal/own-row.js'

const secretBytes = 32

interface NewSubscription {
  readonly url: string
  readonly eventTypes: readonly string[]
}

/** As the receiver's library takes it (Standard Webhooks). */
export const shownSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** Events of the caller, a bot, are sent to the address from now on. @throws {ApiError} BAD_REQUEST */
export function subscribeToEvents(
  ctx: WorkerCtx,
  { user }: Actor,
  { url, eventTypes }: NewSubscription,
): Promise<{ id: number; secret: string }> {
  const { most } = budgets.eventSubscriptions
  const secret = randomBytes(secretBytes)
  const position = ctx.realtime.stats().feedId
  return ctx.write(async (tx, _, { after }) => {
    // The count and the row are of one moment.
    await lockUser(tx, user.id)
    if ((await store.countSubscriptions(tx, user.id)) >= most)
      throw badRequest(`There may be at most ${most} event subscriptions.`)
    const id = await store.insertSubscription(tx, { user_id: user.id, url, event_types: eventTypes, secret, position })
    after(job, { id, version: 1 }, { key: eventSubscriptionKey(id) })
    return { id, secret: shownSecret(secret) }
  })
}

/**
 * Changes a subscription of the caller; deliveries begin again, also after failures.
 * @throws {ApiError} BAD_REQUEST; with status 404 if the caller has no such subscription
 */
export async function changeEventSubscription(
  ctx: WorkerCtx,
  { user }: Actor,
  id: number,
  change: store.SubscriptionChange,
): Promise<void> {
  const { position } = change
  if (position !== undefined && !(await ctx.realtime.isInFeed(position)))
    throw badRequest('The feed does not hold this event any more.')
  const before = await ctx.write(async (tx, _, { after }) => {
    const row = await store.changeSubscription(tx, user.id, id, change)
    if (!row) throw noSubscription()
    const version = row.version + 1
    if (change.is_active ?? row.is_active) after(job, { id, version }, { key: eventSubscriptionKey(id) })
    return row
  })
  await endDelivery(ctx, before)
}

/** @throws {ApiError} BAD_REQUEST with status 404 if the caller has no such subscription */
export async function unsubscribeFromEvents(ctx: WorkerCtx, { user }: Actor, id: number): Promise<void> {
  const row = await ctx.write(tx => store.deleteSubscription(tx, user.id, id))
  if (!row) throw noSubscription()
  await endDelivery(ctx, row)
}

/** Ends the wait of a delivery that began before the change: it finds the new values, or none. */
async function endDelivery({ realtime }: WorkerCtx, row: store.EventSubscription): Promise<void> {
  if (row.queue_id === null) return
  try {
    await realtime.drop(row.queue_id, row.user_id)
  } catch (error) {
    // It has ended already.
    if (!(error instanceof ApiError) || error.code !== 'BAD_EVENT_QUEUE_ID') throw error
  }
}

const noSubscription = () => new ApiError('BAD_REQUEST', 'Event subscription does not exist', {}, 404)
