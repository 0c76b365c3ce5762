import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Ctx } from '../../ctx.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { apiEmail } from '../../presenters/addresses.js'
import type { Emit } from '../../realtime/emission.js'
import { deleteFactors } from '../../store/accounts/factors.js'
import { deleteLinks } from '../../store/accounts/identities.js'
import type { Tx } from '../../store/driver/db.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { deleteDraftsOf } from '../../store/personal/drafts.js'
import { deleteRemindersOf } from '../../store/personal/reminders.js'
import { deleteScheduledOf } from '../../store/personal/scheduled-messages.js'
import { deletedName } from '../../store/users/personal-jobs.js'
import { changeUsers, clearPassword } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { notifyOfEmail } from '../announce/emails.js'
import { keysOfOwner } from '../pictures/keys-of-owner.js'

/**
 * Removes the personal data of a user who was deactivated in this transaction: name, address, avatar, profile, settings, password,
 * second factors, and the links with identity providers.
 * No event reports the deletion as such (docs/protocol/events.md#realm_user): users who may know the user receive each changed field.
 */
export async function deleteProfile(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    organization,
    user_id,
    version,
  }: { readonly organization: Directory; readonly user_id: number; readonly version: number },
): Promise<void> {
  const user = organization.users.get(user_id) as UserRow
  const change = {
    full_name: deletedName(user_id),
    delivery_email: `deleteduser${user_id}@${ctx.realmHost}`,
    avatar_source: 'G',
    avatar_path: null,
    avatar_version: user.avatar_version + 1,
    timezone: '',
    profile_data: {},
    settings: {},
    status: {},
    service: null,
    muted_users: [],
    alert_words: [],
    is_deleted: true,
  }
  const [after] = await changeUsers(tx, [user], change, version)
  if (!after) return
  await clearPassword(tx, user_id)
  if (user.avatar_path !== null) await releaseFiles(tx, keysOfOwner({ kind: 'avatar', path: user.avatar_path }))
  await deleteDraftsOf(tx, [user_id])
  await deleteScheduledOf(tx, user_id)
  await deleteRemindersOf(tx, user_id)
  await deleteLinks(tx, user_id)
  await deleteFactors(tx, user_id)
  const directory = organization.preview({ users: [after] })
  const audience = await whoMayAccess(tx, directory, after)
  emit(realmUserUpdate, { person: { user_id, full_name: after.full_name } }, audience)
  for (const id of Object.keys(user.profile_data)) {
    emit(realmUserUpdate, { person: { user_id, custom_profile_field: { id: Number(id), value: null } } }, audience)
  }
  if (user.timezone !== '') {
    const email = apiEmail(after, ctx.realmHost)
    emit(realmUserUpdate, { person: { user_id, timezone: '', email } }, audience)
  }
  notifyOfEmail(emit, ctx, directory, { before: user, after, audience })
}
