import { badRequest } from '../../../shared/errors.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import { userSettingsUpdate } from '../../../shared/events/user-settings.js'
import { userStatusEvent } from '../../../shared/events/user-status.js'
import type { ChosenSettings, UserSettingName } from '../../../shared/resources/user-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import { mayChangeOwnName } from '../../policies/accounts.js'
import { userSetting } from '../../policies/settings.js'
import { limitedGuests } from '../../policies/users.js'
import { apiEmail } from '../../presenters/addresses.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { deleteDraftsOf } from '../../store/personal/drafts.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { replacePasswordHash } from '../../store/users/personal-settings.js'
import { renewRow } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedFullName, requireFreeName } from '../accounts/account-details.js'
import { endSessionsOf } from '../accounts/end-sessions.js'
import { notifyOfEmail } from '../announce/emails.js'
import { concernsSubscriptions, notifyOfSetting } from '../announce/user-settings.js'
import { moveMissedMails } from '../notify/missed-mails.js'
import { presenceSharingChanged } from '../presence.js'
import { storeUser } from '../store-user.js'
import { type PasswordChange, passwordChanged } from './change-password.js'

/** Changes that users may make to their own account; settings in their stored form. */
interface OwnChange {
  readonly settings: Partial<ChosenSettings>
  readonly timezone?: string
  readonly full_name?: string
  /** Password hashes; set after the old password was verified and the new one was accepted. */
  readonly password?: PasswordChange
}

/** Applies all changes or none. @throws {ApiError} BAD_REQUEST */
export async function changeOwnSettings(ctx: Ctx, actor: Actor, change: OwnChange): Promise<void> {
  const { directory } = ctx
  let names: Changed[] = []
  let endsSessions = false
  const rows = await ctx.write(async (tx, emit, { audit, after, store }) => {
    if (change.password) {
      await directory.hold(tx, 'change')
      const { id } = currentUser(directory, actor.user)
      const { before, after } = change.password
      if (!(await replacePasswordHash(tx, id, before, after))) throw badRequest('Wrong password!')
      audit('password_change', passwordChanged(id))
      // Another person may have asked for it, with the former password.
      await dropPendingAddress(tx, id)
      endsSessions = await endSessionsOf(tx, emit, id, actor.sessionId)
    }
    const stored = await storeUser(ctx, tx, { emit, store }, async (_, emit) => {
      const before = currentUser(directory, actor.user)
      const { after, names: changedNames } = changed(ctx, before, change)
      names = changedNames
      if (names.length === 0) return null
      await notify(ctx, tx, emit, { before, after, names })
      const { settings, email_address_visibility, timezone, full_name } = after
      const edited = names.filter(name => name !== 'full_name')
      const restsOnSubscriptions = limitedGuests(directory).length > 0 || concernsSubscriptions(names)
      const fields = { settings, email_address_visibility, timezone, full_name }
      return { user: before, change: fields, edited, restsOnSubscriptions }
    })
    // After the change of the user's row, which makes drafts of other requests wait and then be refused.
    if (change.settings.enable_drafts_synchronization === false)
      await deleteDraftsOf(
        tx,
        stored.map(({ id }) => id),
      )
    const { email_notifications_batching_period_seconds: period } = change.settings
    if (period !== undefined) await moveMissedMails(tx, after, [actor.user.id], period)
    if (endsSessions && stored.length === 0) await renewRow(tx, actor.user.id, await bumpVersion(tx))
    return stored
  })
  directory.adopt({ users: rows })
  if (endsSessions) await directory.fresh()
  if (names.includes('presence_enabled')) await presenceSharingChanged(ctx, currentUser(directory, actor.user))
}

type Changed = UserSettingName | 'timezone' | 'full_name'

/** The row after the change, and the names of the changed fields. */
function changed(ctx: Ctx, before: UserRow, change: OwnChange): { after: UserRow; names: Changed[] } {
  const settings = Object.entries(change.settings).filter(
    ([name, value]) => value !== undefined && userSetting(before, name as UserSettingName) !== value,
  )
  const { email_address_visibility = before.email_address_visibility, ...others } = Object.fromEntries(settings)
  const full_name = newName(ctx, before, change.full_name)
  const timezone = change.timezone ?? before.timezone
  const after = {
    ...before,
    settings: { ...before.settings, ...others },
    email_address_visibility: email_address_visibility as number,
    full_name,
    timezone,
  }
  const names: Changed[] = full_name === before.full_name ? [] : ['full_name']
  names.push(...settings.map(([name]) => name as UserSettingName))
  if (timezone !== before.timezone) names.push('timezone')
  return { after, names }
}

/** A new name is ignored where the organization forbids changes, as the parameter's description says. */
function newName({ directory }: Ctx, before: UserRow, given: string | undefined): string {
  if (given === undefined || given === before.full_name) return before.full_name
  if (!mayChangeOwnName(directory, before)) return before.full_name
  const name = checkedFullName(given)
  if (name !== before.full_name) requireFreeName(directory, name, before.id, before)
  return name
}

interface Outcome {
  readonly before: UserRow
  readonly after: UserRow
  readonly names: readonly Changed[]
}

async function notify(ctx: Ctx, tx: Tx, emit: Emit, { before, after, names }: Outcome): Promise<void> {
  const { directory, realmHost } = ctx
  const { id: user_id, full_name, timezone } = after
  const concerns = ['full_name', 'timezone', 'email_address_visibility', 'presence_enabled'].some(name =>
    names.includes(name as Changed),
  )
  const audience = concerns ? await whoMayAccess(tx, directory, after) : []
  for (const name of names) {
    if (name === 'full_name') emit(realmUserUpdate, { person: { user_id, full_name } }, audience)
    else if (name === 'timezone') {
      emit(userSettingsUpdate, { property: name, value: timezone }, [user_id])
      emit(realmUserUpdate, { person: { user_id, timezone, email: apiEmail(after, realmHost) } }, audience)
    } else {
      // The cast: a changed setting is no longer null.
      const value = userSetting(after, name) as ChosenSettings[typeof name]
      await notifyOfSetting(ctx, tx, emit, { name, value, userIds: [user_id] })
      if (name === 'presence_enabled') emit(userStatusEvent, { user_id, away: !userSetting(after, name) }, audience)
      if (name === 'email_address_visibility') notifyOfEmail(emit, ctx, directory, { before, after, audience })
    }
  }
}
