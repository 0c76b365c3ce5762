import {
  externalAccount,
  type ProfileFieldObject,
  profileFieldTypes,
} from '../../../shared/resources/custom-profile-field.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { locale, t } from '../language/language.js'

const { EXTERNAL_ACCOUNT, SELECT, URL: LINK } = profileFieldTypes

/** The options of a list, in their order: key and text. */
export function choicesOf(field: ProfileFieldObject): [key: string, text: string][] {
  if (field.type !== SELECT.id) return []
  const choices = Object.entries(JSON.parse(field.field_data) as Record<string, { text: string; order: string }>)
  return choices
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]): [string, string] => [key, text])
}

/** The users of a field of type USER. */
export const peopleIn = (value: string): number[] => JSON.parse(value) as number[]

/** The web address that a value stands for: links and external accounts have one. */
export function addressIn(field: ProfileFieldObject, value: string): string | undefined {
  const address =
    field.type === LINK.id ? value : field.type === EXTERNAL_ACCOUNT.id ? accountAddress(field, value) : undefined
  return address && /^https?:\/\//i.test(address) ? address : undefined
}

function accountAddress(field: ProfileFieldObject, name: string): string {
  const { subtype, url_pattern = '' } = JSON.parse(field.field_data) as { subtype?: string; url_pattern?: string }
  return (externalAccount(subtype)?.url_pattern ?? url_pattern).replace('%(username)s', () => encodeURIComponent(name))
}

const roles = [100, 200, 300, 400, 600] as const

/** What an account is: a bot, or the role of a person. */
export function roleOf(person: UserObject): string {
  if (person.is_bot) return t('person.bot')
  const role = roles.find(one => one === person.role)
  return role ? t(`person.role.${role}`) : ''
}

/** The time of day at the user's place; undefined if the zone is unknown to the user's profile or to this browser. */
export function localTime(timeZone: string, now: number, format: Intl.DateTimeFormatOptions): string | undefined {
  if (timeZone === '') return undefined
  try {
    return new Intl.DateTimeFormat(locale(), { ...format, timeZone }).format(now)
  } catch (error) {
    // The server may know zones that this browser does not.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
