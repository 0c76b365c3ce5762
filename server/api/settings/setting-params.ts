import { z } from 'zod'
import {
  type UserSettingName,
  type UserSettings,
  userSettings,
  withoutDefault,
} from '../../../shared/resources/user-settings.js'
import { json, text } from '../params.js'

type SettingParams = { [Name in UserSettingName]: z.ZodOptional<z.ZodType<Exclude<UserSettings[Name], null>>> }

const isLanguage = (code: string): boolean =>
  /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(code) &&
  new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) !== undefined

// Where not every value of the type will do, or null, which clients read, is none to set.
const narrower: { [Name in UserSettingName]?: z.ZodType } = {
  twenty_four_hour_time: z.boolean(),
  notification_sound: text(),
  default_language: text()
    .transform(code => code.toLowerCase())
    .refine(isLanguage, 'unknown language'),
}

/** Each personal setting as a parameter that may be left out. Text may come quoted. */
export const settingParams = Object.fromEntries(
  Object.entries(userSettings.shape).map(([name, setting]) => {
    const schema: z.ZodType = narrower[name as UserSettingName] ?? setting.unwrap()
    return [
      name,
      json(schema)
        .optional()
        .describe(setting.description ?? ''),
    ]
  }),
) as unknown as SettingParams

type DefaultName = Exclude<UserSettingName, (typeof withoutDefault)[number]>

/** Those that an organization has defaults for. */
export const defaultParams = Object.fromEntries(
  Object.entries(settingParams).filter(([name]) => !(withoutDefault as readonly string[]).includes(name)),
) as unknown as Pick<SettingParams, DefaultName>

/** An IANA name. Programs for other zones would also take offsets, and names in any case, which clients do not. */
export const timezone = text().refine(
  name => name === '' || (/^[A-Z]\w*([/+-][A-Z0-9][\w+-]*)*$/.test(name) && isZone(name)),
  'unknown time zone',
)

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
