import { z } from 'zod'
import { groupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { realmPermissions } from '../../../shared/resources/permission-settings.js'
import { realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import { serverFacts } from './server-facts.js'

type Fields = Record<string, z.ZodType>

/** Whether a setting may be null although its default is not. */
const isLimit = (name: string): boolean => name.endsWith('_limit_seconds')

/** The schema for values of the same type as this one. */
function like(name: string, value: unknown): z.ZodType {
  if (Array.isArray(value)) return z.array(z.record(z.string(), z.unknown()))
  switch (typeof value) {
    case 'boolean':
      return z.boolean()
    case 'number':
      return isLimit(name) ? z.int().nullable() : z.int()
    case 'string':
      return z.string()
    default:
      return value === null ? z.union([z.int(), z.string()]).nullable() : z.record(z.string(), z.unknown())
  }
}

const allLike = (values: Readonly<Record<string, unknown>>, prefix = ''): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, like(name, value)]))

const permissions = Object.fromEntries(
  Object.keys(realmPermissions).map(name => [`realm_${name}`, groupSettingValue.describe('Who holds the permission.')]),
)
const deprecated = (schema: z.ZodType, instead: string) => schema.describe(`Deprecated: see \`${instead}\`.`)

/** Fields of the fetch type `realm`: the organization, its settings and permissions, and the server's features. */
export const realmFields: Fields = {
  realm_name: z.string(),
  realm_description: z.string().describe('Markdown source.'),
  realm_uuid: z.string(),
  realm_date_created: z.int().describe('UNIX seconds.'),
  realm_url: z.string(),
  realm_uri: deprecated(z.string(), 'realm_url'),
  realm_bot_domain: z.string().describe('Domain of dummy addresses.'),
  realm_icon_url: z.string(),
  realm_icon_source: z.enum(['G', 'U']).describe('`U`: uploaded.'),
  realm_logo_url: z.string(),
  realm_logo_source: z.enum(['D', 'U']).describe('`U`: uploaded.'),
  realm_night_logo_url: z.string(),
  realm_night_logo_source: z.enum(['D', 'U']).describe('`U`: uploaded.'),
  ...allLike(realmSettingDefaults, 'realm_'),
  ...permissions,
  realm_available_video_chat_providers: z.record(z.string(), z.object({ name: z.string(), id: z.int() })),
  realm_mandatory_topics: deprecated(z.boolean(), 'realm_topics_policy'),
  realm_allow_edit_history: deprecated(z.boolean(), 'realm_message_edit_history_visibility_policy'),
  realm_email_auth_enabled: deprecated(z.boolean(), 'realm_authentication_methods'),
  realm_password_auth_enabled: deprecated(z.boolean(), 'realm_authentication_methods'),
  realm_create_public_stream_policy: deprecated(z.int(), 'realm_can_create_public_channel_group'),
  realm_create_private_stream_policy: deprecated(z.int(), 'realm_can_create_private_channel_group'),
  realm_create_web_public_stream_policy: deprecated(z.int(), 'realm_can_create_web_public_channel_group'),
  realm_wildcard_mention_policy: deprecated(z.int(), 'realm_can_mention_many_users_group'),
  service_plan_is_not_limited: z.boolean(),
  server_generation: z.int().describe('When the server started, in UNIX seconds.'),
  server_emoji_data_url: z.string().describe('Address of the names of emoji.'),
  server_web_public_streams_enabled: z.boolean(),
  jitsi_server_url: deprecated(z.string(), 'realm_jitsi_server_url').optional(),
  server_supported_permission_settings: z
    .record(z.enum(['realm', 'stream', 'group']), z.record(z.string(), z.record(z.string(), z.unknown())))
    .describe('The allowed values of each setting whose value is a group.'),
  server_inline_url_embed_preview: z
    .boolean()
    .describe('Whether the server reads websites for `realm_inline_url_embed_preview`.'),
  max_file_upload_size_mib: z.int().describe('Largest file that a user may upload; 0: none.'),
  ...allLike(serverFacts),
}
