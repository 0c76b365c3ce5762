import type { Sql } from '../../../server/store/db.js'
import { bumpVersion } from '../../../server/store/organization.js'

/** Changes settings of the organization as an administrator's change would leave them. */
export async function setOrganization(sql: Sql, settings: Record<string, unknown>): Promise<void> {
  await sql.begin(async tx => {
    await bumpVersion(tx)
    await tx`update organization set settings = settings || ${tx.json(settings as never)}`
  })
}

/** From now on guests know only whom they share something with. */
export async function limitGuests(sql: Sql): Promise<void> {
  const [row] = await sql<{ id: number }[]>`select id from user_groups where name = 'role:members'`
  await setOrganization(sql, { can_access_all_users_group: row?.id })
}

/** A public channel with these subscribers. */
export async function createChannel(sql: Sql, name: string, userIds: readonly number[]): Promise<number> {
  return await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    const [row] = await tx<
      { id: number }[]
    >`insert into channels (name, version) values (${name}, ${version}) returning id`
    const id = row?.id ?? 0
    for (const userId of userIds) await tx`insert into subscriptions (user_id, channel_id) values (${userId}, ${id})`
    return id
  })
}

export async function deactivate(sql: Sql, userId: number): Promise<void> {
  await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`update users set is_active = false, version = ${version} where id = ${userId}`
  })
}
