import type { Sql } from '../../../server/store/driver/db.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'

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
