import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { subscriptionUpdate } from '../../../shared/events/subscription.js'
import type { PersonalSettings } from '../../../shared/resources/subscription.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import { holdSubscriptions, storePersonalSettings } from '../../store/channels/subscription-settings.js'
import { personalSettings } from '../../store/channels/subscriptions.js'

export interface SettingChange {
  readonly stream_id: number
  readonly property: keyof PersonalSettings | 'in_home_view'
  readonly value: boolean | string
}

/**
 * Changes the caller's settings for channels in the given order, all or none.
 * @throws {ApiError} BAD_REQUEST
 */
export async function changeSubscriptionSettings(
  ctx: Ctx,
  actor: Actor,
  changes: readonly SettingChange[],
): Promise<void> {
  if (changes.length === 0) return
  await ctx.write(async (tx, emit) => {
    const rows = await holdSubscriptions(tx, actor.user.id, [...new Set(changes.map(change => change.stream_id))])
    const settings = new Map(rows.map(row => [row.channel_id, personalSettings(row)]))
    const changed = new Map<number, PersonalSettings>()
    for (const change of changes) {
      const before = settings.get(change.stream_id)
      // The same error for a missing channel and for one that the caller may not know.
      if (!before) throw badRequest(`Not subscribed to channel id ${change.stream_id}`)
      const after = { ...before, ...stored(change) }
      if (isDeepStrictEqual(after, before)) continue
      settings.set(change.stream_id, after)
      changed.set(change.stream_id, after)
      notify(emit, actor.user.id, change)
    }
    if (changed.size > 0) await storePersonalSettings(tx, actor.user.id, changed)
  })
}

function stored({ property, value }: SettingChange): Partial<PersonalSettings> {
  return property === 'in_home_view' ? { is_muted: !value } : { [property]: value }
}

/** Emits a change of the mute state under both names, the older one first, whichever of them the request named. */
function notify(emit: Emit, userId: number, { stream_id, property, value }: SettingChange): void {
  const emitUpdate = (name: SettingChange['property'], now: boolean | string) =>
    emit(subscriptionUpdate, { stream_id, property: name, value: now }, [userId])
  if (property === 'is_muted' || property === 'in_home_view') {
    const isMuted = (property === 'is_muted') === value
    emitUpdate('in_home_view', !isMuted)
    emitUpdate('is_muted', isMuted)
  } else {
    emitUpdate(property, value)
  }
}
