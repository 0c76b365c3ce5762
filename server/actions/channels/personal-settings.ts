import { badRequest } from '../../../shared/errors.js'
import { subscriptionUpdate } from '../../../shared/events/subscription.js'
import type { PersonalSettings } from '../../../shared/resources/subscription.js'
import type { Actor } from '../../access/actor.js'
import { findChannel } from '../../access/channels.js'
import type { Ctx } from '../../ctx.js'
import { updateSubscription } from '../../store/subscriptions.js'

export interface SettingChange {
  readonly stream_id: number
  readonly property: keyof PersonalSettings | 'in_home_view'
  readonly value: boolean | string
}

/**
 * Changes one of the caller's settings for a channel (api.md E3). Each stands for itself: what was changed before a
 * refused one stays changed.
 */
export async function changeSubscriptionSetting(ctx: Ctx, actor: Actor, change: SettingChange): Promise<void> {
  const { stream_id, property, value } = change
  const { subscription } = await findChannel(ctx, ctx.sql, actor, stream_id)
  if (!subscription?.is_active) throw badRequest(`Not subscribed to channel id ${stream_id}`)
  const userId = actor.user.id
  await ctx.write(async (tx, emit) => {
    const isMuting = property === 'is_muted' || property === 'in_home_view'
    const stored = property === 'in_home_view' ? { is_muted: !value } : { [property]: value }
    // Somebody else may have ended the subscription meanwhile.
    if (!(await updateSubscription(tx, userId, stream_id, stored))) {
      throw badRequest(`Not subscribed to channel id ${stream_id}`)
    }
    const tell = (name: SettingChange['property'], told: boolean | string) =>
      emit(subscriptionUpdate, { stream_id, property: name, value: told }, [userId])
    if (!isMuting) return tell(property, value)
    const is_muted = property === 'is_muted' ? value : !value
    tell('in_home_view', !is_muted)
    tell('is_muted', is_muted)
  })
}
