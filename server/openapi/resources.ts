import type { z } from 'zod'
import { wireEvent, wireEvents } from '../../shared/events/wire-event.js'
import { channelObjectSchema } from '../../shared/resources/channel.js'
import { groupSettingValue } from '../../shared/resources/group-setting-value.js'
import { dmParticipant, editHistoryEntry, messageObject, reaction } from '../../shared/resources/message.js'
import { presence } from '../../shared/resources/presence.js'
import { subscriptionSchema } from '../../shared/resources/subscription.js'
import { user } from '../../shared/resources/user.js'
import { groupSetting } from '../api/group-setting-params.js'

/** Schemas that several answers share; defined once under `components`. */
export const resources: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['User', user],
  ['Channel', channelObjectSchema],
  ['Subscription', subscriptionSchema],
  ['Message', messageObject],
  ['Reaction', reaction],
  ['EditHistoryEntry', editHistoryEntry],
  ['DirectMessageParticipant', dmParticipant],
  ['Presence', presence],
  ['GroupSettingValue', groupSettingValue],
  ['GroupSetting', groupSetting],
  ['Event', wireEvent],
  ...[...wireEvents].map(([name, schema]) => [eventSchemaName(name), schema] as const),
]

/** The name of an event's schema under `components`, which allows no slash. */
export function eventSchemaName(event: string): string {
  return `Event.${event.replace('/', '.')}`
}
