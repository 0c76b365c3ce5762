import { asJson } from '../driver/as-json.js'
import type { ISql, Query, Tx } from '../driver/db.js'

export interface ProfileFieldRow {
  id: number
  /** 1 short text, 2 long text, 3 select, 4 date, 5 link, 6 users, 7 external account, 8 pronouns. */
  type: number
  name: string
  hint: string
  /** Select: key to {text, order}. External account: {subtype, url_pattern?}. Null for all others. */
  field_data: Record<string, unknown> | null
  position: number
  required: boolean
  editable_by_user: boolean
  display_in_profile_summary: boolean
}

/** The organization's profile fields, in their order. */
export function readProfileFields(sql: ISql): Query<ProfileFieldRow> {
  return sql<ProfileFieldRow[]>`
    select id, type, name, hint, field_data, position, required, editable_by_user, display_in_profile_summary
    from custom_profile_fields order by position, id`
}

/** Adds a field after the existing ones. The caller holds the organization. */
export async function insertProfileField(tx: Tx, field: Omit<ProfileFieldRow, 'id' | 'position'>): Promise<number> {
  const { type, name, hint, field_data, required, editable_by_user, display_in_profile_summary } = field
  const [row] = await tx<{ id: number }[]>`
    insert into custom_profile_fields (type, name, hint, field_data, position, required, editable_by_user,
      display_in_profile_summary)
    values (${type}, ${name}, ${hint}, ${field_data && asJson(tx, field_data)},
      (select coalesce(max(position), 0) + 1 from custom_profile_fields), ${required}, ${editable_by_user},
      ${display_in_profile_summary})
    returning id`
  if (!row) throw new Error('no id of a profile field came back')
  return row.id
}

export async function updateProfileField(
  tx: Tx,
  id: number,
  field: Omit<ProfileFieldRow, 'id' | 'type' | 'position'>,
): Promise<void> {
  const { name, hint, field_data, required, editable_by_user, display_in_profile_summary } = field
  await tx`
    update custom_profile_fields set name = ${name}, hint = ${hint},
      field_data = ${field_data && asJson(tx, field_data)}, required = ${required},
      editable_by_user = ${editable_by_user}, display_in_profile_summary = ${display_in_profile_summary}
    where id = ${id}`
}

/** Stores the order, with positions from 0; `ids` contains every field. */
export async function orderProfileFields(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`
    update custom_profile_fields set position = wanted.position - 1
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, position)
    where custom_profile_fields.id = wanted.id`
}

export async function deleteProfileField(tx: Tx, id: number): Promise<void> {
  await tx`delete from custom_profile_fields where id = ${id}`
}
