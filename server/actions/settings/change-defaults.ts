import { realmUserSettingsDefaultsUpdate } from '../../../shared/events/realm-user-settings-defaults.js'
import type { ChosenSettings, UserSettingName } from '../../../shared/resources/user-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import { settingDefault } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import { settingOnWire } from '../../presenters/user-settings.js'
import { changeOrganization } from '../../store/organization/organization-changes.js'

/** Changes the settings that new users start with; values in their stored form. @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
export async function changeSettingsDefaults(ctx: Ctx, actor: Actor, change: Partial<ChosenSettings>): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    const changed = (Object.keys(change) as UserSettingName[]).filter(
      name => change[name] !== undefined && change[name] !== settingDefault(directory, name),
    )
    if (changed.length === 0) return
    const values = Object.fromEntries(changed.map(name => [name, change[name]]))
    const user_settings_defaults = { ...directory.organization.user_settings_defaults, ...values }
    await changeOrganization(tx, { user_settings_defaults })
    const allUserIds = directory.derived(activeUsers)
    for (const property of changed) {
      // The cast: the compiler does not see that the value is that of the property.
      const value = settingOnWire(property, values[property] as never, ctx.config.wireBrand)
      emit(realmUserSettingsDefaultsUpdate, { property, value }, allUserIds)
    }
  })
  await directory.fresh()
}
