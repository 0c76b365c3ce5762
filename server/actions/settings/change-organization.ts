import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import {
  type GroupSettingValue,
  sameSettingValue,
  settingValueKey,
} from '../../../shared/resources/group-setting-value.js'
import { type RealmPermission, realmPermissions } from '../../../shared/resources/permission-settings.js'
import type { Ctx } from '../../ctx.js'
import { addRetentionCheck } from '../../job-types/retention.js'
import type { Directory } from '../../memory/directory.js'
import { checkSettingValue } from '../../policies/group-setting-value.js'
import { realmGroup, settingValue } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { beginRebuild } from '../../store/messages/search-rebuild.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { changeOrganization } from '../../store/organization/organization-changes.js'
import { languagesOf } from '../../text/search/stems.js'
import { notifyOfReach } from '../announce/reach.js'
import { settingGroups } from '../groups/setting-groups.js'
import { notifyOfOrganization } from './notify-of-organization.js'
import {
  type ChangeableSetting,
  namesChannel,
  type OrganizationText,
  organizationRules,
  organizationTexts,
} from './organization-rules.js'

export type OrganizationSetting = ChangeableSetting | OrganizationText | RealmPermission

/** New values by setting; of a permission a group or a set of users and groups. */
export type OrganizationValues = Readonly<Partial<Record<OrganizationSetting, unknown>>>

export const isPermission = (name: string): name is RealmPermission => name in realmPermissions

/**
 * Sets the organization's name or description, a setting, or the group of a permission, and emits the change to all active users. For the
 * server's operator: checks no permission.
 * @throws {ApiError} REQUEST_VARIABLE_INVALID, SYSTEM_GROUP_REQUIRED, BAD_REQUEST for an invalid value
 */
export async function setForOrganization(ctx: Ctx, name: OrganizationSetting, given: unknown): Promise<void> {
  await ctx.write(async (tx, emit, { after }) => {
    await ctx.directory.hold(tx, 'change')
    const changed = await changeValues(ctx, tx, emit, { [name]: isPermission(name) ? given : checked(name, given) })
    addRetentionCheck(after, changed)
  })
  await ctx.directory.fresh()
}

/**
 * Changes values of the organization, which the transaction holds for a change, and emits each that differs from the present one; returns these.
 * Everything is checked before the first write. The caller has checked the values of other settings than permissions with their schemas.
 * @throws {ApiError} SYSTEM_GROUP_REQUIRED, BAD_REQUEST
 */
export async function changeValues(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  values: OrganizationValues,
): Promise<OrganizationValues> {
  const { directory } = ctx
  const { organization: before } = directory
  const changed = changedValues(directory, values)
  if (Object.keys(changed).length === 0) return changed
  const { name, description, ...settings } = changed
  const sets = Object.fromEntries(Object.entries(settings).filter(([one]) => isPermission(one)))
  const groups = hasSet(sets) ? (await settingGroups(tx, directory, sets, await bumpVersion(tx))).ids : {}
  const after = { ...before.settings, ...settings, ...groups }
  await changeOrganization(tx, { ...(changed as Record<OrganizationText, string>), settings: after })
  if ('search_languages' in changed) await beginRebuild(tx, languagesOf(realmSetting(directory, 'search_languages')))
  notifyOfOrganization(ctx, emit, changed)
  const shown = directory.preview({ organization: { ...before, settings: after } })
  await notifyOfReach(ctx, tx, emit, { before: directory, after: shown })
  return changed
}

const hasSet = (values: Readonly<Record<string, unknown>>): values is Record<RealmPermission, GroupSettingValue> =>
  Object.values(values).some(value => typeof value !== 'number')

/** The values that differ from the present ones, permissions in their form on the wire. */
function changedValues(directory: Directory, values: OrganizationValues): OrganizationValues {
  const changed: Partial<Record<OrganizationSetting, unknown>> = {}
  for (const [name, value] of Object.entries(values) as [OrganizationSetting, unknown][]) {
    if (isPermission(name)) {
      const wanted = holdersOf(directory, value as GroupSettingValue)
      checkSettingValue(directory, name, realmPermissions[name], wanted)
      const present = settingValue(directory, realmGroup(directory, name))
      if (!sameSettingValue(wanted, present)) changed[name] = settingValue(directory, wanted)
      continue
    }
    if (namesChannel(name)) requireChannel(directory, name, value as number)
    if (!isDeepStrictEqual(value, presentValue(directory, name))) changed[name] = value
  }
  return changed
}

const presentValue = (directory: Directory, name: ChangeableSetting | OrganizationText): unknown =>
  name === 'name' || name === 'description' ? directory.organization[name] : realmSetting(directory, name)

/** A set without users and groups is the group that has none. */
function holdersOf({ groupsByName }: Directory, value: GroupSettingValue): GroupSettingValue {
  return settingValueKey(value) === '/' ? (groupsByName.get('role:nobody')?.id ?? value) : value
}

function checked(name: ChangeableSetting | OrganizationText, given: unknown): unknown {
  const schemas = { ...organizationTexts, ...organizationRules }
  const { success, data, error } = schemas[name].safeParse(given)
  if (success) return data
  const reason = error.issues[0]?.message ?? 'wrong value'
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
