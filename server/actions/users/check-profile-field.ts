import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { codePoints } from '../../../shared/limits.js'
import {
  externalAccount,
  profileFieldLimits,
  profileFieldTypes,
} from '../../../shared/resources/custom-profile-field.js'
import { budgets } from '../../config/budgets.js'
import type { ProfileFieldRow } from '../../store/organization/custom-profile-fields.js'
import { wellFormed } from '../../text/content.js'

export type ProfileFieldValues = Omit<ProfileFieldRow, 'id' | 'position'>

const { LONG_TEXT, SELECT, USER, EXTERNAL_ACCOUNT } = profileFieldTypes

// Refusals that the conditions of an operation share.
export const badFieldName = 'The name must have 1 to 40 characters.'
export const noOptions = 'A list of options needs at least one option.'
export const badAccountType = 'Invalid external account type'
export const noData = 'Fields of this type have no field_data.'

/** The field as it is stored. `others`: the organization's other fields. @throws {ApiError} BAD_REQUEST */
export function checkedField(field: ProfileFieldValues, others: readonly ProfileFieldRow[]): ProfileFieldValues {
  const known = builtIn(field)
  const [name, hint] = known ? [known.name, known.hint] : [wellFormed(field.name.trim()), wellFormed(field.hint.trim())]
  const unfit = (text: string, most: number) => codePoints(text) > most || /\p{Cc}/u.test(text)
  if (name === '' || unfit(name, profileFieldLimits.name)) throw badRequest(badFieldName)
  if (unfit(hint, profileFieldLimits.hint)) throw badRequest('The hint must have at most 80 characters.')
  if (others.some(one => one.name.toLowerCase() === name.toLowerCase())) {
    throw badRequest('A field with that label already exists.')
  }
  if (field.display_in_profile_summary) requireInSummary(field, others)
  return { ...field, name, hint, field_data: checkedData(field) }
}

const builtIn = ({ type, field_data }: ProfileFieldValues) =>
  type === EXTERNAL_ACCOUNT.id ? externalAccount(field_data?.subtype) : undefined

/** The server's own external accounts are the same in all organizations, except in the summary. @throws {ApiError} BAD_REQUEST */
export function requireChangeable(field: ProfileFieldValues, change: Partial<ProfileFieldValues>): void {
  if (!builtIn(field)) return
  const { display_in_profile_summary: _, ...others } = change
  const isSame = ([name, value]: [string, unknown]) => isDeepStrictEqual(value, field[name as keyof typeof field])
  if (!Object.entries(others).every(isSame)) throw badRequest('Default custom field cannot be updated.')
}

function requireInSummary({ type }: ProfileFieldValues, others: readonly ProfileFieldRow[]): void {
  if (type === LONG_TEXT.id || type === USER.id) {
    throw badRequest('Field type not supported for display in profile summary.')
  }
  const { in_summary } = profileFieldLimits
  if (others.filter(one => one.display_in_profile_summary).length >= in_summary) {
    throw badRequest(`Only ${in_summary} custom profile fields can be displayed in the summary.`)
  }
}

function checkedData({ type, field_data }: ProfileFieldValues): ProfileFieldValues['field_data'] {
  const data = field_data ?? {}
  if (type === SELECT.id) return choices(data)
  if (type === EXTERNAL_ACCOUNT.id) return account(data)
  if (Object.keys(data).length > 0) throw badRequest(noData)
  return null
}

function choices(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(data)
  const { most } = budgets.profileOptions
  if (entries.length === 0) throw badRequest(noOptions)
  if (entries.length > most) throw badRequest(`A list of options has at most ${most} options.`)
  const kept = entries.map(([key, choice]) => [keyOf(key), checkedChoice(choice)] as const)
  if (new Set(kept.map(([, { text }]) => text)).size < kept.length) throw badRequest('Options must differ.')
  return Object.fromEntries(kept)
}

function keyOf(key: string): string {
  const isKey = /^[\w-]{1,50}$/.test(key) && key !== '__proto__'
  if (!isKey) throw badRequest('The key of an option must have 1 to 50 letters, digits, hyphens or underscores.')
  return key
}

function checkedChoice(choice: unknown): { text: string; order: string } {
  const { text, order, ...rest } = (typeof choice === 'object' && choice ? choice : {}) as Record<string, unknown>
  const isWhole = typeof text === 'string' && typeof order === 'string' && Object.keys(rest).length === 0
  if (!isWhole || !/^\d{1,9}$/.test(order))
    throw badRequest('An option has a text and an order, which is a number as text.')
  const name = wellFormed(text.trim())
  if (name === '' || codePoints(name) > profileFieldLimits.short_text || name.includes('\0')) {
    throw badRequest('The text of an option must have 1 to 50 characters.')
  }
  return { text: name, order }
}

const placeholder = '%(username)s'

function account({ subtype, url_pattern, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isKnown = externalAccount(subtype) !== undefined
  if ((subtype !== 'custom' && !isKnown) || Object.keys(rest).length > 0) {
    throw badRequest(badAccountType)
  }
  // A pattern beside a built-in account has to be one, but the account's own counts.
  if (isKnown && url_pattern === undefined) return { subtype }
  const isPattern =
    typeof url_pattern === 'string' &&
    url_pattern.length <= budgets.nameCharacters.most &&
    url_pattern.split(placeholder).length === 2 &&
    /^https?:\/\/\S+$/i.test(url_pattern) &&
    URL.canParse(url_pattern.replace(placeholder, 'name'))
  if (!isPattern) throw badRequest(`The URL pattern must be an http(s) address with ${placeholder} in it once.`)
  return isKnown ? { subtype } : { subtype, url_pattern: wellFormed(url_pattern) }
}
