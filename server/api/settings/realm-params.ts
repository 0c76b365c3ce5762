import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { type RealmPermission, realmPermissions } from '../../../shared/resources/permission-settings.js'
import type { OrganizationValues } from '../../actions/settings/change-organization.js'
import { organizationRules, organizationTexts, permissionMeanings } from '../../actions/settings/organization-rules.js'
import type { OrganizationUpdate } from '../../actions/settings/update-organization.js'
import { json, record, text } from '../../params/schemas.js'
import { groupSettingChange } from '../group-setting-params.js'

const {
  authentication_methods,
  default_code_block_language,
  jitsi_server_url,
  message_content_delete_limit_seconds,
  message_content_edit_limit_seconds,
  message_retention_days,
  move_messages_between_streams_limit_seconds,
  move_messages_within_stream_limit_seconds,
  upload_quota_mib,
  ...plain
} = organizationRules

const described = (schema: z.ZodType, { description = '' }: z.ZodType) => schema.optional().describe(description)

/** A number above 0, or `unlimited`; checked by `limited`, with an error code of its own. */
const limit = (rule: z.ZodType, most: number) =>
  described(json(z.union([z.int().meta({ minimum: 1, maximum: most }), text().meta({ enum: ['unlimited'] })])), rule)

const mostSeconds = 2_147_483_647
const mostDays = 36_500
const mostMib = 1_000_000_000
/** What stands for `unlimited` in the store, and the largest number. */
const limits = {
  message_content_delete_limit_seconds: { unlimited: null, most: mostSeconds },
  message_content_edit_limit_seconds: { unlimited: null, most: mostSeconds },
  move_messages_between_streams_limit_seconds: { unlimited: null, most: mostSeconds },
  move_messages_within_stream_limit_seconds: { unlimited: null, most: mostSeconds },
  message_retention_days: { unlimited: -1, most: mostDays },
  upload_quota_mib: { unlimited: null, most: mostMib },
} as const

const permissions = Object.fromEntries(
  Object.entries(permissionMeanings).map(([name, meaning]) => [
    name,
    json(groupSettingChange).optional().describe(`Who may: ${meaning} With \`old\`: only if that is still its value.`),
  ]),
)

/** A parameter that existing clients know, and that the server refuses with this reason. */
const refused = (form: z.ZodType, reason: string) =>
  form
    .refine(() => false, reason)
    .optional()
    .describe(`Refused: ${reason}`)

/** Names, settings and permissions of the organization. Texts are raw, everything else is JSON or raw text. */
export const realmParams = {
  name: organizationTexts.name.optional().describe('Its name.'),
  description: described(organizationTexts.description, organizationTexts.description),
  default_code_block_language: described(default_code_block_language, default_code_block_language),
  ...Object.fromEntries(Object.entries(plain).map(([name, rule]) => [name, described(json(rule), rule)])),
  jitsi_server_url: json(z.union([z.literal('default'), jitsi_server_url.unwrap()]))
    .transform(url => (url === 'default' ? null : url))
    .optional()
    .describe('Address of the server for video calls; `default`: that of the server.'),
  ...Object.fromEntries(
    Object.entries(limits).map(([name, { most }]) => [
      name,
      limit(organizationRules[name as keyof typeof limits], most),
    ]),
  ),
  authentication_methods: json(record(z.boolean(), 20))
    .optional()
    .describe(
      'How users sign in: whether each method of `realm_authentication_methods` is on. Others keep their state.',
    ),
  ...permissions,
  workplace_users_group: refused(json(groupSettingChange), 'the server has no such permission.'),
  string_id: refused(text(), 'only the name of a demonstration can be changed in addresses.'),
}

/** The change that a request asks for. @throws {ApiError} REQUEST_VARIABLE_INVALID */
export function updateOf(params: Readonly<Record<string, unknown>>): OrganizationUpdate {
  const values: Record<string, unknown> = {}
  const holders: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || name === 'authentication_methods') continue
    if (name in realmPermissions) holders[name] = value
    else values[name] = name in limits ? limited(name as keyof typeof limits, value) : value
  }
  return {
    values: values as OrganizationValues,
    permissions: holders,
    methods: params.authentication_methods as OrganizationUpdate['methods'],
  }
}

function limited(name: keyof typeof limits, value: unknown): number | null {
  const { unlimited, most } = limits[name]
  if (value === 'unlimited') return unlimited
  if (typeof value === 'number' && value > 0 && value <= most) return value
  throw new ApiError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, {
    var_name: name,
    bad_value: value,
  })
}

/** What the answer shows of the changed values, and of those that are shown whether they changed or not. */
export function echo(given: OrganizationUpdate, changed: OrganizationValues): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given.values)) {
    const isShownAlways = name === 'org_type' || (value === -1 && /_(stream|channel)_id$/.test(name))
    if (name in changed || isShownAlways) shown[name] = typeof value === 'string' ? 'updated' : value
  }
  for (const name of Object.keys(given.permissions)) {
    if (name in changed) shown[name] = changed[name as RealmPermission]
  }
  if ('authentication_methods' in changed) shown.authentication_methods = given.methods
  return shown
}
