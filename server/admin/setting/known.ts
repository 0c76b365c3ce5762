import { z } from 'zod'
import {
  type PermissionSetting,
  type RealmPermission,
  realmPermissions,
} from '../../../shared/resources/permission-settings.js'
import { type RealmSettingName, realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import type { UserSettingName } from '../../../shared/resources/user-settings.js'
import { organizationRules, organizationTexts, permissionMeanings } from '../../actions/settings/organization-rules.js'
import { defaultParams } from '../../api/settings/setting-params.js'
import type { Ctx } from '../../ctx.js'
import { realmGroup, settingValue } from '../../policies/groups.js'
import { realmSetting, settingDefault } from '../../policies/settings.js'

/** Prefix of the names of default values for personal settings. */
export const userPrefix = 'user.'

/** A setting as `setting list` shows it. */
export interface KnownSetting {
  readonly name: string
  readonly value: unknown
  /** The value if it was never set. */
  readonly default: unknown
  readonly type: string
  readonly meaning: string
  /** False: the value follows from other data, or has no effect in this server. */
  readonly changeable: boolean
}

/** All settings: texts of the organization, its settings, permissions, and defaults of personal settings. */
export function knownSettings(ctx: Ctx): KnownSetting[] {
  return [...texts(ctx), ...settings(ctx), ...permissions(ctx), ...userDefaults(ctx)]
}

function texts({ directory: { organization } }: Ctx): KnownSetting[] {
  return Object.entries(organizationTexts).map(([name, schema]) => ({
    name,
    ...typeAndMeaning(schema),
    value: organization[name as keyof typeof organizationTexts],
    default: name === 'name' ? 'Parley' : '',
    changeable: true,
  }))
}

function settings({ directory }: Ctx): KnownSetting[] {
  return Object.entries(realmSettingDefaults).map(([name, byDefault]) => {
    const schema = (organizationRules as Readonly<Record<string, z.ZodType>>)[name]
    const value = realmSetting(directory, name as RealmSettingName)
    const nothing = { type: typeof byDefault as string, meaning: 'Cannot be changed here.' }
    return {
      name,
      ...(schema ? typeAndMeaning(schema) : nothing),
      value,
      default: byDefault,
      changeable: schema !== undefined,
    }
  })
}

function permissions({ directory }: Ctx): KnownSetting[] {
  return (Object.keys(realmPermissions) as RealmPermission[]).map(name => ({
    name,
    value: holders(directory, settingValue(directory, realmGroup(directory, name))),
    default: startingGroup(name),
    type: 'group',
    meaning: `Who may: ${permissionMeanings[name]}`,
    changeable: true,
  }))
}

const startingGroup = (name: RealmPermission): string => {
  const { fixed_group, default_group_name }: PermissionSetting = realmPermissions[name]
  return fixed_group ?? default_group_name
}

/** A group's name instead of its id. */
function holders({ groups }: Ctx['directory'], value: unknown): unknown {
  return typeof value === 'number' ? (groups.get(value)?.name ?? value) : value
}

function userDefaults({ directory }: Ctx): KnownSetting[] {
  return Object.entries(defaultParams).map(([name, schema]) => {
    const value = settingDefault(directory, name as UserSettingName)
    const { type, meaning } = typeAndMeaning(schema)
    return {
      name: userPrefix + name,
      value,
      default: null,
      type,
      meaning: `New accounts: ${meaning}`,
      changeable: true,
    }
  })
}

function typeAndMeaning(schema: z.ZodType): { type: string; meaning: string } {
  return { type: typeOf(schema), meaning: schema.description ?? '' }
}

/** The type in the terms of JSON Schema. */
function typeOf(schema: z.ZodType): string {
  const {
    type,
    enum: values,
    anyOf,
    minimum,
    maximum,
  } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' })
  if (values) return values.map(value => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map(one => (one as { type?: string }).type ?? 'value').join(' | ')
  const isBounded = type === 'integer' && minimum !== undefined && maximum !== undefined
  return isBounded && Number(minimum) > -1000 ? `integer ${minimum} to ${maximum}` : String(type ?? 'value')
}
