import { type ProfileFieldObject, profileFieldTypes } from '../../../shared/resources/custom-profile-field.js'
import type { UserObject } from '../../../shared/resources/user.js'

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
  const { url_pattern = '' } = JSON.parse(field.field_data) as { url_pattern?: string }
  return url_pattern.replace('%(username)s', () => encodeURIComponent(name))
}

const roles: Readonly<Record<number, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
}

/** What an account is: a bot, or the role of a person. */
export const roleOf = (person: UserObject): string => (person.is_bot ? 'Bot' : (roles[person.role] ?? ''))

/** The time of day at the user's place; undefined if the zone is unknown to the user's profile or to this browser. */
export function localTime(timeZone: string, now: number, format: Intl.DateTimeFormatOptions): string | undefined {
  if (timeZone === '') return undefined
  try {
    return new Intl.DateTimeFormat(undefined, { ...format, timeZone }).format(now)
  } catch (error) {
    // The server may know zones that this browser does not.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
