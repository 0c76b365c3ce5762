import type { ISql, Tx } from './db.js'
import { lockUser } from './lock-user.js'

/** How many there are; the user's row is held, so that it stays true until the transaction ends. */
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

/** False: there is no such device, or it is somebody else's. */
export async function deleteDevice(tx: Tx, userId: number, deviceId: number): Promise<boolean> {
  const rows = await tx`delete from devices where id = ${deviceId} and user_id = ${userId} returning id`
  return rows.length > 0
}

/** Ids, ascending. */
export async function devicesOf(sql: ISql, userId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from devices where user_id = ${userId} order by id`
  return rows.map(row => row.id)
}
