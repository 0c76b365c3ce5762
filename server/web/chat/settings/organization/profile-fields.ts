import {
  type ProfileFieldObject,
  profileFieldLimits,
  profileFieldTypeIds,
  profileFieldTypes,
} from '../../../../../shared/resources/custom-profile-field.js'
import { listText } from '../../../language/format.js'
import { st } from '../../../language/settings-language.js'
import { isAdministrator } from '../../../state/permissions.js'
import { choicesOf } from '../../../state/profile.js'
import type { Listed, Written } from '../listed.js'

const { EXTERNAL_ACCOUNT, SELECT } = profileFieldTypes
type TypeId = (typeof profileFieldTypeIds)[number]

const hasType = (written: Written, { id }: { readonly id: number }): boolean => written.field_type === String(id)
const isCustomAccount = (written: Written) => hasType(written, EXTERNAL_ACCOUNT) && written.account === 'custom'
const lines = (text = ''): string[] => [...new Set(text.split('\n').map(line => line.trim()))].filter(Boolean)

interface Account {
  readonly subtype?: string
  readonly url_pattern?: string
}

/** What the type needs besides; an option keeps its key as long as it keeps its text. */
function dataOf(written: Written, present?: ProfileFieldObject): object {
  if (hasType(written, SELECT)) {
    const keys = new Map((present ? choicesOf(present) : []).map(([key, text]) => [text, key]))
    const next = Math.max(0, ...[...keys.values()].map(Number).filter(Number.isFinite)) + 1
    const options = lines(written.choices).map((text, at) => [
      keys.get(text) ?? String(next + at),
      { text, order: String(at + 1) },
    ])
    return { field_data: Object.fromEntries(options) }
  }
  if (!hasType(written, EXTERNAL_ACCOUNT)) return {}
  const { account: subtype, url_pattern } = written
  return { field_data: subtype === 'custom' ? { subtype, url_pattern } : { subtype } }
}

const paramsOf = (written: Written, present?: ProfileFieldObject) => ({
  ...(written.field_name && { name: written.field_name }),
  hint: written.hint ?? '',
  required: Boolean(written.required),
  editable_by_user: Boolean(written.editable_by_user),
  display_in_profile_summary: Boolean(written.display_in_profile_summary),
  ...dataOf(written, present),
})

const mark = (isOn: boolean): string => (isOn ? 'true' : '')

/** The fields that the organization adds to profiles. */
export const profileFields: Listed<ProfileFieldObject> = {
  id: 'profileFields',
  items: state => state.custom_profile_fields,
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  detailOf: ({ type, hint }) => listText([st(`fieldTypes.${type as TypeId}`), hint].filter(Boolean)),
  fields: [
    {
      name: 'field_type',
      kind: 'choice',
      isFixed: true,
      options: () => profileFieldTypeIds.map(id => [id, () => st(`fieldTypes.${id}`)]),
    },
    {
      name: 'account',
      kind: 'choice',
      isFor: written => hasType(written, EXTERNAL_ACCOUNT),
      options: () => [
        ['github', () => st('fieldTypes.github')],
        ['twitter', () => st('fieldTypes.twitter')],
        ['custom', () => st('fieldTypes.other')],
      ],
    },
    {
      name: 'field_name',
      kind: 'line',
      longest: profileFieldLimits.name,
      isFor: written => !hasType(written, EXTERNAL_ACCOUNT) || isCustomAccount(written),
    },
    { name: 'url_pattern', kind: 'line', longest: 1024, isFor: isCustomAccount },
    { name: 'choices', kind: 'lines', isFor: written => hasType(written, SELECT) },
    { name: 'hint', kind: 'line', longest: profileFieldLimits.hint, isOptional: true },
    { name: 'required', kind: 'switch', isOptional: true },
    { name: 'editable_by_user', kind: 'switch', isOptional: true },
    { name: 'display_in_profile_summary', kind: 'switch', isOptional: true },
  ],
  start: { editable_by_user: 'true' },
  written(field) {
    const { subtype = '', url_pattern = '' } =
      field.type === EXTERNAL_ACCOUNT.id ? (JSON.parse(field.field_data) as Account) : {}
    return {
      field_type: String(field.type),
      field_name: field.name,
      hint: field.hint,
      account: subtype,
      url_pattern,
      choices: choicesOf(field)
        .map(([, text]) => text)
        .join('\n'),
      required: mark(field.required),
      editable_by_user: mark(field.editable_by_user),
      display_in_profile_summary: mark(field.display_in_profile_summary),
    }
  },
  mayChange: isAdministrator,
  add: written => ['POST', '/realm/profile_fields', { field_type: Number(written.field_type), ...paramsOf(written) }],
  change: (field, written) => [['PATCH', `/realm/profile_fields/${field.id}`, paramsOf(written, field)]],
  remove: ({ id }) => ['DELETE', `/realm/profile_fields/${id}`],
  order: ids => ['PATCH', '/realm/profile_fields', { order: ids }],
}
