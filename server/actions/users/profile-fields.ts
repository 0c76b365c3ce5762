import { badRequest } from '../../../shared/errors.js'
import { customProfileFields } from '../../../shared/events/custom-profile-fields.js'
import { codePoints } from '../../../shared/limits.js'
import {
  type ProfileFieldObject,
  type ProfileFieldType,
  profileFieldLimits,
  profileFieldTypes,
} from '../../../shared/resources/custom-profile-field.js'
import type { Ctx } from '../../ctx.js'
import { activeUsers } from '../../policies/users.js'
import { profileFieldObject } from '../../presenters/profile-field-object.js'
import type { Emit } from '../../realtime/emission.js'
import {
  deleteProfileField,
  insertProfileField,
  type ProfileFieldRow,
  readProfileFields,
} from '../../store/custom-profile-fields.js'
import type { Tx } from '../../store/db.js'
import { bumpVersion } from '../../store/organization.js'
import { dropProfileValues } from '../../store/user-changes.js'

export interface ProfileFieldDraft {
  readonly type: ProfileFieldType
  readonly name: string
  readonly hint: string
  /** For a list of options: the choices in their order. */
  readonly options: readonly string[]
  /** For an external account: the address of a user's page, with `%(username)s` in it. */
  readonly urlPattern: string | null
  readonly required: boolean
  readonly editableByUser: boolean
  readonly inSummary: boolean
}

/** Appends a field and emits the list to all users. @throws {ApiError} BAD_REQUEST */
export async function addProfileField(ctx: Ctx, draft: ProfileFieldDraft): Promise<ProfileFieldObject> {
  const field = checked(draft)
  const added = await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const fields = await readProfileFields(tx)
    if (fields.some(one => one.name.toLowerCase() === field.name.toLowerCase())) {
      throw badRequest('A field with that label already exists.')
    }
    const shown = fields.filter(one => one.display_in_profile_summary).length
    if (field.display_in_profile_summary && shown >= profileFieldLimits.in_summary) {
      throw badRequest(`Only ${profileFieldLimits.in_summary} custom profile fields can be displayed in the summary.`)
    }
    const id = await insertProfileField(tx, field)
    await bumpVersion(tx)
    return (await notify(ctx, tx, emit)).find(one => one.id === id)
  })
  return added as ProfileFieldObject
}

/** Removes a field and all its values. @throws {ApiError} BAD_REQUEST for a missing field */
export async function removeProfileField(ctx: Ctx, id: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    if (!(await deleteProfileField(tx, id))) throw badRequest(`Field id ${id} not found.`)
    await dropProfileValues(tx, id, await bumpVersion(tx))
    await notify(ctx, tx, emit)
  })
  await ctx.directory.fresh()
}

async function notify({ directory }: Ctx, tx: Tx, emit: Emit): Promise<ProfileFieldObject[]> {
  const fields = (await readProfileFields(tx)).map(profileFieldObject)
  emit(customProfileFields, { fields }, directory.derived(activeUsers))
  return fields
}

/** @throws {ApiError} BAD_REQUEST */
function checked(draft: ProfileFieldDraft): Omit<ProfileFieldRow, 'id' | 'position'> {
  const [name, hint] = [draft.name.trim(), draft.hint.trim()]
  const unfit = (text: string, most: number) => codePoints(text) > most || /\p{Cc}/u.test(text)
  if (name === '' || unfit(name, profileFieldLimits.name)) throw badRequest('The name must have 1 to 40 characters.')
  if (unfit(hint, profileFieldLimits.hint)) throw badRequest('The hint must have at most 80 characters.')
  if (draft.inSummary && (draft.type === 'LONG_TEXT' || draft.type === 'USER')) {
    throw badRequest('Field type not supported for display in profile summary.')
  }
  return {
    type: profileFieldTypes[draft.type].id,
    name,
    hint,
    field_data: fieldData(draft),
    required: draft.required,
    editable_by_user: draft.editableByUser,
    display_in_profile_summary: draft.inSummary,
  }
}

function fieldData({ type, options, urlPattern }: ProfileFieldDraft): Record<string, unknown> | null {
  if (type !== 'SELECT' && options.length > 0) throw badRequest('Only a list of options has options.')
  if (type !== 'EXTERNAL_ACCOUNT' && urlPattern !== null)
    throw badRequest('Only an external account has a URL pattern.')
  if (type === 'SELECT') return choices(options.map(option => option.trim()))
  if (type !== 'EXTERNAL_ACCOUNT') return null
  const isPattern = urlPattern?.split('%(username)s').length === 2 && /^https?:\/\/\S+$/i.test(urlPattern)
  if (!isPattern) throw badRequest('The URL pattern must be an http(s) address with %(username)s in it once.')
  return { subtype: 'custom', url_pattern: urlPattern }
}

function choices(options: readonly string[]): Record<string, unknown> {
  if (options.length === 0) throw badRequest('A list of options needs at least one option.')
  const isUnfit = options.some(option => option === '' || codePoints(option) > profileFieldLimits.short_text)
  if (isUnfit || new Set(options).size < options.length) {
    throw badRequest('Options must differ, and have 1 to 50 characters.')
  }
  return Object.fromEntries(options.map((text, i) => [String(i), { text, order: String(i + 1) }]))
}
