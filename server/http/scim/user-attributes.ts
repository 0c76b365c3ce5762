import type { PersonChange } from '../../actions/provisioning/people.js'
import { administrator, guest, member, moderator, owner } from '../../policies/roles.js'
import { type Fields, field, isObject, type PatchOperation, textOf, truthOf } from './body.js'
import { attributeIn } from './filter.js'
import { invalidValue } from './scim-error.js'

export const roles: Readonly<Record<string, number>> = { owner, administrator, moderator, member, guest }

/** What a request says of a person. */
export interface UserDraft {
  userName?: string
  externalId?: string | null
  displayName?: string
  formatted?: string
  givenName?: string
  familyName?: string
  address?: string
  role?: number
  isActive?: boolean
}

/** What each attribute that is understood does; null: the attribute is removed. Others are ignored. */
const attributes: Readonly<Record<string, (draft: UserDraft, value: unknown) => void>> = {
  username: (draft, value) => {
    draft.userName = textOf(value, 'userName')
    if (draft.userName === '') invalidValue('userName: a text is expected.')
  },
  externalid: (draft, value) => {
    draft.externalId = value === null || value === '' ? null : textOf(value, 'externalId')
  },
  displayname: (draft, value) => {
    if (value !== null) draft.displayName = textOf(value, 'displayName')
  },
  name: (draft, value) => {
    if (!isObject(value)) return
    for (const [key, part] of Object.entries(value)) attributeIn(attributes, `name.${key}`)?.(draft, part)
  },
  'name.formatted': (draft, value) => {
    if (value !== null) draft.formatted = textOf(value, 'name.formatted')
  },
  'name.givenname': (draft, value) => {
    draft.givenName = value === null ? '' : textOf(value, 'name.givenName')
  },
  'name.familyname': (draft, value) => {
    draft.familyName = value === null ? '' : textOf(value, 'name.familyName')
  },
  emails: setAddress,
  'emails.value': setAddress,
  'emails[type eq "work"]': setAddress,
  'emails[type eq "work"].value': setAddress,
  'emails[primary eq true]': setAddress,
  'emails[primary eq true].value': setAddress,
  active: (draft, value) => {
    if (value !== null) draft.isActive = truthOf(value, 'active')
  },
  roles: setRole,
  'roles.value': setRole,
  'roles[primary eq "true"]': setRole,
  'roles[primary eq "true"].value': setRole,
  'roles[primary eq true]': setRole,
  'roles[primary eq true].value': setRole,
}

/** The draft of a whole person. @throws {ScimError} */
export function draftOf(fields: Fields): UserDraft {
  const draft: UserDraft = {}
  for (const [key, value] of Object.entries(fields)) attributeIn(attributes, key)?.(draft, value)
  return draft
}

/** The draft of a PATCH; a later operation beats an earlier one. @throws {ScimError} */
export function draftOfPatch(operations: readonly PatchOperation[]): UserDraft {
  let draft: UserDraft = {}
  for (const { op, path, value } of operations) {
    if (path !== undefined) attributeIn(attributes, path)?.(draft, op === 'remove' ? null : (value ?? null))
    else if (isObject(value)) draft = { ...draft, ...draftOf(value) }
    else invalidValue('value: an object is expected where there is no path.')
  }
  return draft
}

/** One address of a person counts: the primary one, or that of the type work, or else the first. */
function setAddress(draft: UserDraft, given: unknown): void {
  if (given === null) return
  const list = (Array.isArray(given) ? given : [given]).map(one => (isObject(one) ? one : { value: one }))
  const found =
    list.find(one => String(field(one, 'primary')).toLowerCase() === 'true') ??
    list.find(one => field(one, 'type') === 'work') ??
    list[0]
  if (found) draft.address = textOf(field(found, 'value'), 'emails')
}

/** Of several roles the most powerful counts; a person without one is a member. */
function setRole(draft: UserDraft, given: unknown): void {
  const list = given === null ? [] : Array.isArray(given) ? given : [given]
  const numbers = list.map(one => roleOf(textOf(isObject(one) ? field(one, 'value') : one, 'roles')))
  draft.role = numbers.length > 0 ? Math.min(...numbers) : member
}

function roleOf(word: string): number {
  const names = Object.keys(roles)
  const name = names.find(one => one === word.toLowerCase())
  return (
    (name === undefined ? undefined : roles[name]) ?? invalidValue(`roles: one of ${names.join(', ')} is expected.`)
  )
}

/** Given and family name of a full name: the last word is the family name. */
export function partsOf(fullName: string): { readonly givenName: string; readonly familyName: string } {
  const at = fullName.lastIndexOf(' ')
  return at < 0
    ? { givenName: fullName, familyName: fullName }
    : { givenName: fullName.slice(0, at), familyName: fullName.slice(at + 1) }
}

/** The change that a draft asks for. `before`: the full name so far. */
export function changeOf(draft: UserDraft, before: string): PersonChange {
  const { userName, externalId, address, role, isActive } = draft
  return { userName, externalId, address, role, isActive, fullName: fullNameOf(draft, before) }
}

function fullNameOf({ displayName, formatted, givenName, familyName }: UserDraft, before: string): string | undefined {
  const said = displayName || formatted
  if (said) return said
  if (givenName === undefined && familyName === undefined) return undefined
  const known = partsOf(before)
  return `${givenName ?? known.givenName} ${familyName ?? known.familyName}`.trim()
}
