import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { realmUpdate, realmUpdateDict } from '../../../shared/events/realm.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type RealmPermission, realmPermissions } from '../../../shared/resources/permission-settings.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { checkSettingValue } from '../../policies/group-setting-value.js'
import { realmGroup, settingValue } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { changeOrganization } from '../../store/organization/organization-changes.js'
import { notifyOfReach } from '../announce/reach.js'
import { renderDescription } from '../descriptions.js'
import { idOf, settingGroup } from '../groups/setting-groups.js'
import {
  type ChangeableSetting,
  namesChannel,
  type OrganizationText,
  organizationRules,
  organizationTexts,
} from './organization-rules.js'

export type OrganizationSetting = ChangeableSetting | OrganizationText | RealmPermission

export const isPermission = (name: string): name is RealmPermission => name in realmPermissions

/**
 * Sets the organization's name or description, a setting, or the group of a permission, and emits the change to all active users. For the
 * server's operator: checks no permission.
 * @throws {ApiError} REQUEST_VARIABLE_INVALID, SYSTEM_GROUP_REQUIRED, BAD_REQUEST for an invalid value
 */
export async function setForOrganization(ctx: Ctx, name: OrganizationSetting, given: unknown): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const { organization: before } = directory
    const allUserIds = directory.derived(activeUsers)
    if (isPermission(name)) {
      const value = given as GroupSettingValue
      checkSettingValue(directory, name, realmPermissions[name], value)
      const group = idOf(await settingGroup(tx, directory, value, await bumpVersion(tx)))
      if (group === realmGroup(directory, name)) return
      await store({ ...before.settings, [name]: group })
      emit(realmUpdateDict, { property: 'default', data: { [name]: settingValue(directory, value) } }, allUserIds)
    } else if (name === 'name' || name === 'description') {
      const value = checked(name, organizationTexts[name].safeParse(given)) as string
      if (value === before[name]) return
      await changeOrganization(tx, { [name]: value })
      notifyOfText(ctx, emit, { name, value, allUserIds })
    } else {
      const value = checked(name, organizationRules[name].safeParse(given))
      if (namesChannel(name)) requireChannel(directory, name, value as number)
      if (isDeepStrictEqual(value, realmSetting(directory, name))) return
      await store({ ...before.settings, [name]: value })
      notify(ctx, emit, { name, value, allUserIds })
    }

    async function store(settings: Record<string, unknown>): Promise<void> {
      await changeOrganization(tx, { settings })
      const after = directory.preview({ organization: { ...before, settings } })
      await notifyOfReach(ctx, tx, emit, { before: directory, after })
    }
  })
  await directory.fresh()
}

interface Parsed {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly issues: readonly { readonly message: string }[] }
}

function checked(name: string, { success, data, error }: Parsed): unknown {
  if (success) return data
  const reason = error?.issues[0]?.message ?? 'wrong value'
  throw new ApiError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${reason}`, {
    var_name: name,
    bad_value: null,
  })
}

function requireChannel({ channels }: Directory, name: string, id: number): void {
  if (id === -1) return
  const channel = channels.get(id)
  if (!channel || channel.is_archived) throw badRequest('Invalid channel ID')
  if (name === 'moderation_request_channel_id' && !channel.invite_only) {
    throw badRequest('The moderation request channel must be private.')
  }
}

function notifyOfText(
  ctx: Ctx,
  emit: Emit,
  {
    name,
    value,
    allUserIds,
  }: { readonly name: OrganizationText; readonly value: string; readonly allUserIds: readonly number[] },
): void {
  if (name === 'name') {
    emit(realmUpdate, { property: name, value }, allUserIds)
    return
  }
  const data = { description: value, rendered_description: renderDescription(ctx, value) }
  emit(realmUpdateDict, { property: 'default', data }, allUserIds)
}

// Settings whose changes are emitted as realm/update_dict.
const inDict: readonly string[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'authentication_methods',
  'topics_policy',
  'upload_quota_mib',
]

function notify(
  ctx: Ctx,
  emit: Emit,
  {
    name,
    value,
    allUserIds,
  }: { readonly name: ChangeableSetting; readonly value: unknown; readonly allUserIds: readonly number[] },
): void {
  if (!inDict.includes(name)) {
    const property = name.replace(/^service_/, `${ctx.config.wireBrand}_`)
    emit(realmUpdate, { property, value: value as string | number | boolean | null }, allUserIds)
    return
  }
  emit(realmUpdateDict, { property: 'default', data: { [name]: value, ...shownWith(ctx, name, value) } }, allUserIds)
}

/** What clients expect beside a setting in its event. */
function shownWith({ config, directory }: Ctx, name: ChangeableSetting, value: unknown): Record<string, unknown> {
  if (name === 'topics_policy') return { mandatory_topics: value === 'disable_empty_topic' }
  if (name !== 'upload_quota_mib') return {}
  return { plan_type: realmSetting(directory, 'plan_type'), max_file_upload_size_mib: config.maxFileUploadMib }
}
