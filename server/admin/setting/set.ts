import { z } from 'zod'
import { changeSettingsDefaults } from '../../actions/settings/change-defaults.js'
import {
  isPermission,
  type OrganizationSetting,
  setForOrganization,
} from '../../actions/settings/change-organization.js'
import { organizationRules, organizationTexts } from '../../actions/settings/organization-rules.js'
import { defaultParams } from '../../api/settings/setting-params.js'
import type { Ctx } from '../../ctx.js'
import { storedSound } from '../../presenters/user-settings.js'
import { actorOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { asJson, checked } from '../checked.js'
import { groupOf } from '../group/index.js'
import { userPrefix } from './known.js'

const setOfPeople = z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) })

/** Sets a setting of `setting list` from a command-line argument. @throws {AdminError} @throws {ApiError} */
export async function setSetting(ctx: Ctx, name: string, typed: string): Promise<void> {
  if (name.startsWith(userPrefix)) return await setDefault(ctx, name.slice(userPrefix.length), typed)
  if (isPermission(name)) return await setForOrganization(ctx, name, holdersOf(ctx, typed))
  const schema = { ...organizationTexts, ...organizationRules }[name as keyof typeof organizationRules]
  if (!schema) throw new AdminError(`${name} is no setting that can be changed: see setting list.`, 'NOT_FOUND')
  // A text setting whose value happens to be JSON, such as a number as the name, stays a text.
  const isText = schema.safeParse(typed).success && !schema.safeParse(asJson(typed)).success
  const value = isText ? typed : asJson(typed)
  await setForOrganization(ctx, name as OrganizationSetting, value)
}

function holdersOf(ctx: Ctx, typed: string): z.output<typeof setOfPeople> | number {
  return typed.startsWith('{') ? checked(setOfPeople, 'value', asJson(typed)) : groupOf(ctx, typed).id
}

async function setDefault(ctx: Ctx, name: string, typed: string): Promise<void> {
  const schema = (defaultParams as Readonly<Record<string, z.ZodType>>)[name]
  if (!schema) throw new AdminError(`${userPrefix}${name} is no setting: see setting list.`, 'NOT_FOUND')
  const value = checked(schema, name, typed)
  const stored = name === 'notification_sound' ? storedSound(value as string, ctx.config.wireBrand) : value
  await changeSettingsDefaults(ctx, actorOf(ctx, undefined), { [name]: stored })
}
