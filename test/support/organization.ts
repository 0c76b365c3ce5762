import type { Sql, Tx } from '../../server/store/driver/db.js'
import { bumpVersion } from '../../server/store/organization/organization.js'

/** Changes rows of the directory in one transaction, like a request: all servers answer with the change from its end on. */
export function changeDirectory(sql: Sql, work: (tx: Tx, version: number) => Promise<unknown>): Promise<void> {
  return sql.begin(async tx => {
    await work(tx, await bumpVersion(tx))
  }) as Promise<void>
}

/** Changes columns of the organization's row; `settings` replaces all settings. */
export const setColumns = (sql: Sql, columns: Record<string, unknown>): Promise<void> =>
  changeDirectory(sql, tx => tx`update organization set ${tx(columns as never)}`)

/** Activates the organization again. */
export const reopen = (sql: Sql): Promise<void> => setColumns(sql, { is_active: true, deletion_due: null })

/** Changes settings of the organization (`realm_*` without the prefix), like an administrator's request. */
export const setOrganization = (sql: Sql, settings: Record<string, unknown>): Promise<void> =>
  changeDirectory(sql, tx => tx`update organization set settings = settings || ${tx.json(settings as never)}`)

/** Changes columns of a channel's row. */
export const setChannel = (sql: Sql, id: number, columns: Record<string, unknown>): Promise<void> =>
  changeDirectory(
    sql,
    (tx, version) => tx`update channels set ${tx({ ...columns, version } as never)} where id = ${id}`,
  )

/** Changes columns of a user's row. */
export const setUser = (sql: Sql, id: number, columns: Record<string, unknown>): Promise<void> =>
  changeDirectory(sql, (tx, version) => tx`update users set ${tx({ ...columns, version } as never)} where id = ${id}`)

export const deactivate = (sql: Sql, id: number): Promise<void> => setUser(sql, id, { is_active: false })

/** Id of a named group, for example `role:members`. */
export async function groupId(sql: Sql, name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select id from user_groups where name = ${name}`
  if (!row) throw new Error(`no group ${name}`)
  return row.id
}

/** Limits guests to users with whom they share a channel or conversation. */
export async function limitGuests(sql: Sql): Promise<void> {
  await setOrganization(sql, { can_access_all_users_group: await groupId(sql, 'role:members') })
}
