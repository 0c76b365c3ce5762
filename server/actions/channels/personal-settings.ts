import { badRequest } from '../../../shared/errors.js'
import { subscriptionUpdate } from '../../../shared/events/subscription.js'
import type { PersonalSettings } from '../../../shared/resources/subscription.js'
import type { Actor } from '../../access/actor.js'
import { mayReadChannel } from '../../access/channels.js'
import { currentUser } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/db.js'
import { holdSubscriptions, personalSettings, storePersonalSettings } from '../../store/subscriptions.js'

export interface SettingChange {
  readonly stream_id: number
  readonly property: keyof PersonalSettings | 'in_home_view'
  readonly value: boolean | string
}

/**
 * Changes some of the caller's settings for channels, one after the other: all of them, or none where one is refused
 * (api.md E3). @throws {ApiError} BAD_REQUEST
 */
export async function changeSubscriptionSettings(
  ctx: Ctx,
  actor: Actor,
  changes: readonly SettingChange[],
): Promise<void> {
  if (changes.length === 0) return
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    const present = await ownSettings(ctx, tx, actor, changes)
    const settings = new Map<number, PersonalSettings>()
    for (const change of changes) {
      const before = settings.get(change.stream_id) ?? present.get(change.stream_id)
      if (!before) throw badRequest(`Not subscribed to channel id ${change.stream_id}`)
      settings.set(change.stream_id, { ...before, ...stored(change) })
      tell(emit, actor.user.id, change)
    }
    await storePersonalSettings(tx, actor.user.id, settings)
  })
}

/** Of the channels that are to change; until the transaction ends nobody unsubscribes the caller from them. */
async function ownSettings(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  changes: readonly SettingChange[],
): Promise<Map<number, PersonalSettings>> {
  const { directory } = ctx
  const user = currentUser(directory, actor.user)
  const rows = await holdSubscriptions(tx, user.id, [...new Set(changes.map(change => change.stream_id))])
  const subscribed = new Map(rows.map(row => [row.channel_id, row]))
  for (const { stream_id } of changes) {
    const channel = directory.channels.get(stream_id)
    if (!channel || !mayReadChannel(directory, user, channel, subscribed.has(stream_id))) {
      throw badRequest('Invalid channel ID')
    }
  }
  return new Map(rows.map(row => [row.channel_id, personalSettings(row)]))
}

function stored({ property, value }: SettingChange): Partial<PersonalSettings> {
  return property === 'in_home_view' ? { is_muted: !value } : { [property]: value }
}

/** What is muted is told twice, under the older name first, whichever of the two was set. */
function tell(emit: Emit, userId: number, { stream_id, property, value }: SettingChange): void {
  const told = (name: SettingChange['property'], now: boolean | string) =>
    emit(subscriptionUpdate, { stream_id, property: name, value: now }, [userId])
  if (property === 'is_muted' || property === 'in_home_view') {
    const isMuted = (property === 'is_muted') === value
    told('in_home_view', !isMuted)
    told('is_muted', isMuted)
  } else {
    told(property, value)
  }
}
