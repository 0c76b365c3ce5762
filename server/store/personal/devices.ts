import type { ISql, Query } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

/** What `openOwn` reads with `newDevice`. */
export interface NewDevice {
  /** Id of a new device. */
  readonly id: number
  /** Number of the user's devices. */
  readonly count: number
}

export const newDevice = (sql: ISql): Parts => sql`
  , nextval('devices_id_seq') as id, (select count(*)::int from devices where user_id = users.id) as count`

/** The part `done`. */
export const insertDevice = (sql: ISql, id: number): Parts => sql`
  done as (
    insert into devices (id, user_id) overriding system value select ${id}::bigint, checked.id from checked returning id
  )`

/** The part `done`: no row if the user has no such device. */
export const deleteDevice = (sql: ISql, id: number): Parts => sql`
  done as (delete from devices using checked where devices.id = ${id} and user_id = checked.id returning devices.id)`

/** Ids of the user's devices, ascending. */
export function devicesOf(sql: ISql, userId: UserId): Query<{ id: number }> {
  return sql<{ id: number }[]>`select id from devices where user_id = ${userId} order by id`
}
