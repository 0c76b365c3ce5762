import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { type GroupSettingValue, sameSettingValue } from '../../../shared/resources/group-setting-value.js'
import { isForOwners } from '../../../shared/resources/organization-rights.js'
import type { RealmPermission } from '../../../shared/resources/permission-settings.js'
import type { SignInMethods } from '../../../shared/resources/sign-in-methods.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addRetentionCheck } from '../../job-types/retention.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { administrators, owners } from '../../policies/allow.js'
import { realmGroup, settingValue } from '../../policies/groups.js'
import { signInMethods } from '../../policies/sign-in.js'
import { changeValues, type OrganizationValues } from './change-organization.js'
import { namesChannel } from './organization-rules.js'

interface PermissionUpdate {
  readonly new: GroupSettingValue
  /** The value that the caller expects the permission to have now. */
  readonly old?: GroupSettingValue | undefined
}

/** What a request changes; absent names stay as they are. */
export interface OrganizationUpdate {
  /** Texts and settings, checked with their schemas. */
  readonly values: OrganizationValues
  readonly permissions: Readonly<Partial<Record<RealmPermission, PermissionUpdate>>>
  /** Whether each of these ways to sign in is on. */
  readonly methods?: Readonly<Record<string, boolean>> | undefined
}

/**
 * Changes the organization, all or nothing; returns the values that differ from those before.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, BAD_REQUEST
 */
export async function updateOrganization(
  ctx: Ctx,
  actor: Actor,
  { values, permissions, methods }: OrganizationUpdate,
): Promise<OrganizationValues> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit, { after }) => {
    await directory.hold(tx, 'change')
    const present = { ...actor, user: currentUser(directory, actor.user) }
    administrators(present)
    const names = [...Object.keys(values), ...Object.keys(permissions)]
    if (methods || names.some(isForOwners)) owners(present)
    for (const [name, channelId] of Object.entries(values)) {
      if (namesChannel(name) && channelId !== -1)
        await findChannel(ctx, tx, present, { channelId: channelId as number })
    }
    const authentication_methods = methods && withMethods(signInMethods(directory, ctx.config.signInMethods), methods)
    const made = await changeValues(ctx, tx, emit, {
      ...values,
      ...wantedHolders(directory, permissions),
      ...(authentication_methods && { authentication_methods }),
    })
    addRetentionCheck(after, made)
    return made
  })
  await directory.fresh()
  return changed
}

function wantedHolders(directory: Directory, permissions: OrganizationUpdate['permissions']): OrganizationValues {
  const wanted: Partial<Record<RealmPermission, GroupSettingValue>> = {}
  for (const [name, update] of Object.entries(permissions) as [RealmPermission, PermissionUpdate][]) {
    const present = settingValue(directory, realmGroup(directory, name))
    if (update.old !== undefined && !sameSettingValue(update.old, present)) {
      throw new ApiError('EXPECTATION_MISMATCH', `'old' value of '${name}' does not match the present one.`, {
        field_name: 'old',
      })
    }
    wanted[name] = update.new
  }
  return wanted
}

/** The ways to sign in with these switched on or off; undefined: they are so already. */
function withMethods(present: SignInMethods, wanted: Readonly<Record<string, boolean>>): SignInMethods | undefined {
  const methods: Record<string, SignInMethods[string]> = { ...present }
  for (const [name, enabled] of Object.entries(wanted)) {
    const method = Object.hasOwn(present, name) ? present[name] : undefined
    if (!method) {
      throw badRequest(`Invalid authentication method: ${name}. There are: ${Object.keys(present).join(', ')}`)
    }
    methods[name] = { ...method, enabled }
  }
  if (!Object.values(methods).some(({ enabled }) => enabled)) {
    throw badRequest('At least one authentication method must be enabled.')
  }
  return isDeepStrictEqual(methods, present) ? undefined : methods
}
