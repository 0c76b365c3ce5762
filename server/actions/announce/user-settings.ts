import { realmExportConsent } from '../../../shared/events/realm-export-consent.js'
import { subscriptionUpdate } from '../../../shared/events/subscription.js'
import { userSettingsUpdate } from '../../../shared/events/user-settings.js'
import type { ResolvedNotification } from '../../../shared/resources/subscription.js'
import type { ChosenSettings, UserSettingName } from '../../../shared/resources/user-settings.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { receivesExportConsent } from '../../policies/accounts.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { activeUsers } from '../../policies/users.js'
import { settingOnWire } from '../../presenters/user-settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { subscriptionsInheriting } from '../../store/users/personal-settings.js'
import { gather } from '../gather.js'

/** One setting and its new value for these users. `userIds`: active users, ascending. */
interface ChangedSetting<Name extends UserSettingName = UserSettingName> {
  readonly name: Name
  readonly value: ChosenSettings[Name]
  readonly userIds: readonly number[]
}

/** Emits user_settings to the users, and the events that follow from the setting. */
export async function notifyOfSetting(ctx: Ctx, tx: Tx, emit: Emit, changed: ChangedSetting): Promise<void> {
  const { name, value, userIds } = changed
  const onWire = settingOnWire(name, value, ctx.config.wireBrand)
  const language = name === 'default_language' && { language_name: languageName(String(value)) }
  emit(userSettingsUpdate, { property: name, value: onWire, ...language }, userIds)
  const inherited = inheritedAs[name]
  if (inherited)
    await notifyOfInheriting(ctx.directory, tx, emit, { property: inherited, value: value === true, userIds })
  if (name === 'allow_private_data_export') notifyOfConsent(ctx.directory, emit, userIds, value === true)
}

// The notification settings that a channel without its own value inherits (docs/protocol/register.md#client-capabilities).
const inheritedAs: Partial<Record<UserSettingName, ResolvedNotification>> = {
  enable_stream_desktop_notifications: 'desktop_notifications',
  enable_stream_email_notifications: 'email_notifications',
  enable_stream_push_notifications: 'push_notifications',
  enable_stream_audible_notifications: 'audible_notifications',
}

/** Whether `notifyOfSetting` reads subscriptions for one of these settings. */
export const concernsSubscriptions = (names: readonly string[]): boolean => names.some(name => name in inheritedAs)

/** Emits the new value for inheriting subscriptions: clients without support for null received the user's setting in its place. */
async function notifyOfInheriting(
  directory: Directory,
  tx: Tx,
  emit: Emit,
  { property, value, userIds }: { property: ResolvedNotification; value: boolean; userIds: readonly number[] },
): Promise<void> {
  const rows = await subscriptionsInheriting(tx, userIds, property)
  const known = rows.map(({ channel_id, is_active, user_ids }) => {
    const channel = directory.channels.get(channel_id)
    const knows = (id: number) =>
      channel && knowsChannel(directory, directory.users.get(id) ?? null, channel, is_active)
    return { channel_id, audience: user_ids.filter(knows) }
  })
  for (const [, channels] of gather(known, ({ audience }) => audience.join())) {
    const inheriting = channels.map(({ channel_id }) => channel_id)
    emit(subscriptionUpdate, { inheriting, property, value }, channels[0]?.audience ?? [])
  }
}

/** Emits to administrators whether people consent to the export of their private data. */
export function notifyOfConsent(
  directory: Directory,
  emit: Emit,
  userIds: readonly number[],
  consented: boolean,
): void {
  const audience = directory.derived(activeUsers).filter(id => {
    const user = directory.users.get(id)
    return user && receivesExportConsent(user)
  })
  for (const user_id of userIds) emit(realmExportConsent, { user_id, consented }, audience)
}

/** The language's name in that language. */
const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
