import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import { lockUser } from './lock-user.js'

/** Number of the user's devices. Locks the user's row, so that the number stays valid until the transaction ends. */
export async function countDevices(tx: Tx, userId: number): Promise<number> {
  await lockUser(tx, userId)
  const [row] = await tx<{ count: number }[]>`select count(*)::int as count from devices where user_id = ${userId}`
  return row?.count ?? 0
}

/** Returns the new device's id. */
export async function insertDevice(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx<{ id: number }[]>`insert into devices (user_id) values (${userId}) returning id`
  if (!row) throw new Error('no device row came back')
  return row.id
}

/** False: the user has no such device. */
export async function deleteDevice(tx: Tx, userId: number, deviceId: number): Promise<boolean> {
  const rows = await tx`delete from devices where id = ${deviceId} and user_id = ${userId} returning id`
  return rows.length > 0
}

/** Ids of the user's devices, ascending. */
export function devicesOf(sql: ISql, userId: UserId): Query<{ id: number }> {
  return sql<{ id: number }[]>`select id from devices where user_id = ${userId} order by id`
}
