type Fields = Readonly<Record<string, unknown>>

/** One row of the audit log: the changed object, and the changed fields before and after. */
export interface AuditChange {
  readonly subject: Fields
  readonly before: Fields | null
  readonly after: Fields
}

/** The organization without the changes of the running transaction; rows by id. */
export interface AuditedState {
  readonly organization: {
    readonly name: string
    readonly description: string
    readonly is_active: boolean
    readonly settings: object
    readonly user_settings_defaults: object
  }
  readonly users: ReadonlyMap<number, object>
  readonly groups: ReadonlyMap<number, { readonly settings: object; readonly is_system_group: boolean }>
  readonly channels: ReadonlyMap<number, { readonly settings: object }>
}

/** These fields of an object, as far as it has them: an audit log contains no others, so no secrets. */
export function pick(from: object, names: readonly string[]): Fields {
  const fields = from as Fields
  return Object.fromEntries(names.filter(name => fields[name] !== undefined).map(name => [name, fields[name]]))
}

/** Empty if no value differs from the row's: the event reports present values to a further audience. */
export function changed(subject: Fields, row: object | undefined, after: Fields): readonly AuditChange[] {
  const before = row ? pick(row, Object.keys(after)) : null
  const isNew = Object.entries(after).some(([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value))
  return isNew ? [{ subject, before, after }] : []
}
