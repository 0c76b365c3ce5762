import { type RealmPermission, realmPermissions } from '../../../shared/resources/permission-settings.js'
import { realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import { userSettingNames } from '../../../shared/resources/user-settings.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { realmGroup } from '../../policies/groups.js'
import { administrator } from '../../policies/roles.js'
import { realmSetting, settingDefault, userSetting } from '../../policies/settings.js'
import { roleSeesEmail } from '../../policies/users.js'
import { apiEmail, dummyEmail } from '../../presenters/addresses.js'
import type { UserRow } from '../../store/users/users.js'

const seconds = (time: Date): number => time.getTime() / 1000

/** The organization (`zerver_realm`), with its settings; those of permissions are ids of groups. */
export function realmRow({ directory }: Ctx): Record<string, unknown> {
  const { organization } = directory
  // The cast: `Object.keys` forgets that these are names of settings.
  const settings = Object.keys(realmSettingDefaults).map(name => [name, realmSetting(directory, name as never)])
  const permissions = (Object.keys(realmPermissions) as RealmPermission[]).map(name => [
    name,
    realmGroup(directory, name),
  ])
  return {
    ...Object.fromEntries([...settings, ...permissions]),
    id: 1,
    uuid: organization.uuid,
    string_id: '',
    name: organization.name,
    description: organization.description,
    date_created: seconds(organization.date_created),
    deactivated: !organization.is_active,
  }
}

/** What an export of one person says of the organization. */
export const shortRealmRow = ({ directory: { organization } }: Ctx): Record<string, unknown> => ({
  id: 1,
  uuid: organization.uuid,
  name: organization.name,
  description: organization.description,
})

/** The settings of new accounts (`zerver_realmuserdefault`). */
export const defaultsRow = ({ directory }: Ctx): Record<string, unknown> => ({
  ...Object.fromEntries(userSettingNames.map(name => [name, settingDefault(directory, name)])),
  id: 1,
  realm: 1,
})

/** Of an account that does not share its private data the settings are left out, and an address that administrators may not see. */
export function userRow({ realmHost }: Ctx, user: UserRow, isShared: boolean): Record<string, unknown> {
  const settings = isShared ? userSettingNames.map(name => [name, userSetting(user, name)]) : []
  const showsAddress = isShared || roleSeesEmail(administrator, user)
  return {
    ...Object.fromEntries(settings),
    id: user.id,
    realm: 1,
    email: apiEmail(user, realmHost),
    delivery_email: showsAddress ? user.delivery_email : dummyEmail(user.id, realmHost),
    email_address_visibility: user.email_address_visibility,
    full_name: user.full_name,
    role: user.role,
    is_active: user.is_active,
    is_bot: user.is_bot,
    bot_type: user.bot_type,
    bot_owner: user.bot_owner_id,
    date_joined: seconds(user.date_joined),
    avatar_source: user.avatar_source,
    avatar_version: user.avatar_version,
    timezone: user.timezone,
    is_mirror_dummy: false,
    recipient: user.id * 4 + 1,
  }
}

/** A bot of the server itself (`zerver_userprofile_crossrealm`). */
export const crossrealmRow = (user: UserRow): Record<string, unknown> => ({
  id: user.id,
  email: user.delivery_email,
  recipient_id: user.id * 4 + 1,
})

/** All accounts, by id. */
export const accountsOf = ({ users }: Directory): UserRow[] => [...users.values()].sort((a, b) => a.id - b.id)
