import { badRequest } from '../../../shared/errors.js'
import { type ChosenSettings, onlyOwn, type UserSettingName } from '../../../shared/resources/user-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { administrators } from '../../policies/allow.js'
import { membersOf } from '../../policies/groups.js'
import { userSetting } from '../../policies/settings.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { deleteDraftsOf } from '../../store/personal/drafts.js'
import { editedSettings, storePersonalChange } from '../../store/users/personal-settings.js'
import type { UserRow } from '../../store/users/users.js'
import { notifyOfSetting } from '../announce/user-settings.js'
import { moveMissedMails } from '../notify/missed-mails.js'

/** The users whose settings an administrator changes. */
interface Targets {
  readonly user_ids: readonly number[]
  /** Groups; all their members are included. */
  readonly group_ids: readonly number[]
  /** Settings that a user has changed itself stay as they are. */
  readonly skip_if_already_edited: boolean
}

/** Values are in their stored form. @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export async function changeSettingsOfOthers(
  ctx: Ctx,
  actor: Actor,
  targets: Targets,
  settings: Partial<ChosenSettings>,
): Promise<void> {
  const { directory } = ctx
  const names = (Object.keys(settings) as UserSettingName[]).filter(name => settings[name] !== undefined)
  await ctx.write(async (tx, emit, { after }) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    if (names.some(name => (onlyOwn as readonly string[]).includes(name))) throw notForOthers()
    const users = targetsOf(directory, targets)
    const ids = users.map(user => user.id)
    const edited = targets.skip_if_already_edited ? await editedSettings(tx, ids, names) : new Map()
    let version: number | undefined
    for (const name of names) {
      const value = settings[name] as ChosenSettings[typeof name]
      const changing = users.filter(user => userSetting(user, name) !== value && !edited.get(user.id)?.has(name))
      if (changing.length === 0) continue
      version ??= await bumpVersion(tx)
      const changed = changing.map(user => user.id)
      await storePersonalChange(tx, changed, { settings: { [name]: value } }, { version, edited: [] })
      if (name === 'enable_drafts_synchronization' && value === false) await deleteDraftsOf(tx, changed)
      if (name === 'email_notifications_batching_period_seconds')
        await moveMissedMails(tx, after, changed, value as number)
      const userIds = changing.filter(user => user.is_active).map(user => user.id)
      await notifyOfSetting(ctx, tx, emit, { name, value, userIds })
    }
  })
  await directory.fresh()
}

export const notForOthers = () => badRequest('Cannot change this setting for other users.')

/** Users by ascending id, deactivated ones included, since they may be reactivated; no bots, whose settings have no effect. */
function targetsOf(directory: Directory, { user_ids, group_ids }: Targets): UserRow[] {
  for (const id of user_ids) if (!directory.users.has(id)) throw badRequest(`Invalid user ID: ${id}`)
  const members = [...new Set(group_ids)].flatMap(id => {
    const name = directory.groups.get(id)?.name ?? null
    if (name === null) throw badRequest('Invalid user group')
    return membersOf(directory, id)
  })
  const ids = [...new Set([...user_ids, ...members])].sort((a, b) => a - b)
  return ids.flatMap(id => directory.users.get(id) ?? []).filter(user => !user.is_bot)
}
