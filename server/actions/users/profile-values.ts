import { isCalendarDate } from '../../../shared/dates.js'
import { badRequest } from '../../../shared/errors.js'
import { codePoints } from '../../../shared/limits.js'
import { profileFieldLimits, profileFieldTypes } from '../../../shared/resources/custom-profile-field.js'
import type { Directory } from '../../memory/directory.js'
import type { ProfileFieldRow } from '../../store/organization/custom-profile-fields.js'
import type { ProfileValue, UserRow } from '../../store/users/users.js'
import { wellFormed } from '../../text/content.js'
import { renderDescription } from '../descriptions.js'
import type { Place } from '../messages/names.js'

export type GivenValue = string | readonly number[] | null
type ProfileData = Readonly<Record<string, ProfileValue>>

const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER } = profileFieldTypes
const longestLink = 2048

/**
 * The user's profile data with a request's values: null, an empty text and an empty list delete a value. Of several values for one field
 * the last counts. `known`: the users that the caller may see; null: all.
 * @throws {ApiError} BAD_REQUEST for an unknown field or a value that does not match its type
 */
export function withProfileValues(
  ctx: Place,
  user: UserRow,
  {
    fields,
    given,
    known = null,
  }: {
    readonly fields: readonly ProfileFieldRow[]
    readonly given: readonly { id: number; value: GivenValue }[]
    readonly known?: ReadonlySet<number> | null
  },
): ProfileData {
  if (user.is_bot) throw badRequest('Bots have no custom profile fields.')
  const data = { ...user.profile_data }
  for (const { id, value } of given) {
    const field = fields.find(one => one.id === id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    if (value === null || value.length === 0) delete data[id]
    else data[id] = stored(ctx, field, typeof value === 'string' ? wellFormed(value) : value, known)
  }
  return data
}

function stored(
  ctx: Place,
  field: ProfileFieldRow,
  value: string | readonly number[],
  known: ReadonlySet<number> | null,
): ProfileValue {
  if (field.type === USER.id) {
    if (typeof value === 'string') throw badRequest(`${field.name} is not a list of users`)
    return { value: JSON.stringify(people(ctx.directory, value, known)) }
  }
  if (typeof value !== 'string') throw badRequest(`${field.name} is not a string`)
  check(field, value)
  const isMarkdown = field.type === SHORT_TEXT.id || field.type === LONG_TEXT.id
  return isMarkdown ? { value, rendered_value: renderDescription(ctx, value) } : { value }
}

function check(field: ProfileFieldRow, value: string): void {
  const { name, type } = field
  // PostgreSQL cannot store null bytes.
  if (value.includes('\0')) throw badRequest(`${name} has a null byte`)
  switch (type) {
    case SELECT.id:
      if (!Object.hasOwn(field.field_data ?? {}, value))
        throw badRequest(`'${value}' is not a valid choice for '${name}'.`)
      return
    case DATE.id:
      if (!isCalendarDate(value)) throw badRequest(`${name} is not a date`)
      return
    case LINK.id:
      if (!isLink(value)) throw badRequest(`${name} is not a URL`)
      return
    default: {
      const most = type === LONG_TEXT.id ? profileFieldLimits.long_text : profileFieldLimits.short_text
      if (codePoints(value) > most) throw badRequest(`${name} is too long (limit: ${most} characters)`)
    }
  }
}

function people(directory: Directory, ids: readonly number[], known: ReadonlySet<number> | null): number[] {
  for (const id of ids) {
    const user = directory.users.get(id)
    if (!user || user.is_system_bot || (known && !known.has(id))) throw badRequest(`Invalid user ID: ${id}`)
    if (!user.is_active) throw badRequest(`User with ID ${id} is deactivated`)
    if (user.is_bot) throw badRequest(`User with ID ${id} is a bot`)
  }
  return [...new Set(ids)]
}

function isLink(text: string): boolean {
  return text.length <= longestLink && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
