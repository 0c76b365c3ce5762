import { type RealmPermission, realmPermissions } from '../../../shared/resources/permission-settings.js'
import { type RealmSettingName, realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import { isMethodOn, takesPasswords } from '../../../shared/resources/sign-in-methods.js'
import type { Ctx } from '../../ctx.js'
import { realmGroup, settingValue } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import { signInMethods } from '../../policies/sign-in.js'
import { allPictureFields } from '../../presenters/organization-pictures.js'
import type { StatePiece } from '../state-piece.js'
import { legacyPolicies } from './legacy-policies.js'
import { realmFields } from './realm-fields.js'
import { serverFacts, videoChatProviders } from './server-facts.js'
import { supportedPermissions } from './supported-permissions.js'

const settingNames = Object.keys(realmSettingDefaults) as RealmSettingName[]
const permissionNames = Object.keys(realmPermissions) as RealmPermission[]

/** The organization: its settings and permissions, and the server's features. */
export const realmPiece: StatePiece = {
  fetchType: 'realm',
  fields: realmFields,
  async read({ ctx, actor }) {
    return {
      ...settings(ctx),
      ...permissions(ctx),
      ...legacyPolicies(ctx.directory),
      ...identity(ctx),
      ...inferred(ctx),
      ...serverFacts,
      server_inline_url_embed_preview: ctx.external !== null,
      max_file_upload_size_mib: ctx.config.maxFileUploadMib,
      // The server keeps no presence of spectators.
      ...(!actor && { realm_presence_disabled: true }),
    }
  },
}

function settings(ctx: Ctx): Record<string, unknown> {
  const { directory, config } = ctx
  return Object.fromEntries(
    settingNames.map(name => [
      `realm_${name.replace(/^service_/, `${config.wireBrand}_`)}`,
      realmSetting(directory, name),
    ]),
  )
}

function permissions({ directory }: Ctx): Record<string, unknown> {
  return Object.fromEntries(
    permissionNames.map(name => [`realm_${name}`, settingValue(directory, realmGroup(directory, name))]),
  )
}

function identity({ directory, config, publicUrl, realmHost, startedAt }: Ctx): Record<string, unknown> {
  const { name, description, uuid, date_created } = directory.organization
  return {
    realm_name: name,
    realm_description: description,
    realm_uuid: uuid,
    realm_date_created: Math.floor(date_created.getTime() / 1000),
    realm_url: publicUrl,
    realm_uri: publicUrl,
    realm_bot_domain: realmHost,
    ...allPictureFields(directory.organization),
    [`${config.wireBrand}_plan_is_not_limited`]: true,
    server_generation: Math.floor(startedAt / 1000),
    server_emoji_data_url: `${publicUrl}/api/v1/emoji_data`,
  }
}

/** What follows from the server’s settings, and legacy fields that follow from newer ones. */
function inferred({ config, directory }: Ctx): Record<string, unknown> {
  const jitsi_server_url = realmSetting(directory, 'jitsi_server_url')
  const methods = signInMethods(directory, config.signInMethods)
  return {
    realm_authentication_methods: methods,
    realm_mandatory_topics: realmSetting(directory, 'topics_policy') === 'disable_empty_topic',
    realm_allow_edit_history: realmSetting(directory, 'message_edit_history_visibility_policy') !== 'none',
    realm_available_video_chat_providers: videoChatProviders,
    realm_email_auth_enabled: isMethodOn(methods, 'Email'),
    realm_password_auth_enabled: takesPasswords(methods),
    server_web_public_streams_enabled: config.webPublicChannels,
    // Absent without an address: older clients expect a string.
    ...(jitsi_server_url !== null && { jitsi_server_url }),
    server_supported_permission_settings: supportedPermissions,
  }
}
