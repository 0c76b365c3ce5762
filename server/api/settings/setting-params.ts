import { z } from 'zod'
import {
  type UserSettingName,
  type UserSettings,
  userSettings,
  withoutDefault,
} from '../../../shared/resources/user-settings.js'
import { json, text } from '../../params/schemas.js'
import { isTimeZone, timeZonePattern } from '../../text/time-zone.js'

type SettingParams = { [Name in UserSettingName]: z.ZodOptional<z.ZodType<Exclude<UserSettings[Name], null>>> }

const languagePattern = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function isLanguage(code: string): boolean {
  try {
    return languagePattern.test(code) && languageNames.of(code) !== undefined
  } catch (thrown) {
    // For subtags in an order that no language has.
    if (thrown instanceof RangeError) return false
    throw thrown
  }
}

// Settings whose parameter accepts fewer values than their type, or not the null that answers may contain.
const narrower: { [Name in UserSettingName]?: z.ZodType } = {
  twenty_four_hour_time: z.boolean(),
  notification_sound: text(),
  default_language: text()
    .refine(isLanguage, 'unknown language')
    .meta({ pattern: languagePattern.source })
    .transform(code => code.toLowerCase()),
}

// The casts: `Object.fromEntries` loses which key has which value.

/** Each personal setting as an optional parameter. Text may be JSON-quoted. */
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

/** The settings with a configurable default for new users. */
export const defaultParams = Object.fromEntries(
  Object.entries(settingParams).filter(([name]) => !(withoutDefault as readonly string[]).includes(name)),
) as unknown as Pick<SettingParams, DefaultName>

/** An IANA time zone; empty: none. */
export const timezone = text()
  .refine(name => name === '' || isTimeZone(name), 'unknown time zone')
  .meta({ pattern: timeZonePattern.source })
