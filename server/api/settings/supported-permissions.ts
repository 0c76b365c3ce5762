import {
  channelPermissions,
  groupPermissions,
  type PermissionSetting,
  realmPermissions,
} from '../../../shared/resources/permission-settings.js'

const asSent = (settings: Readonly<Record<string, PermissionSetting>>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { refused_system_group: _, fixed_group: __, ...sent }]) => [
      name,
      { ...sent, allow_internet_group: false },
    ]),
  )

/** `server_supported_permission_settings`. */
export const supportedPermissions = {
  realm: asSent(realmPermissions),
  stream: asSent(channelPermissions),
  group: asSent(groupPermissions),
}
