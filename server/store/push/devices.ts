import type { ISql, Tx } from '../driver/db.js'

/** A device as its account sees it. */
export interface ListedDevice {
  readonly id: number
  readonly endpoint: string
  readonly name: string
  readonly created: Date
  readonly failing_since: Date | null
}

/** What a push needs of a device. */
export interface PushDevice {
  readonly id: number
  readonly user_id: number
  readonly endpoint: string
  readonly p256dh: Buffer
  readonly auth: Buffer
  readonly failing_since: Date | null
  /** Until when it counts as slow; null: it never was. */
  readonly slow_until: Date | null
}

interface NewDevice {
  readonly user_id: number
  readonly session_id: number | null
  readonly endpoint: string
  readonly p256dh: Uint8Array
  readonly auth: Uint8Array
  readonly name: string
}

export function devicesOf(sql: ISql, userId: number): Promise<ListedDevice[]> {
  return sql<ListedDevice[]>`
    select id, endpoint, name, created, failing_since from push_devices where user_id = ${userId} order by id`
}

/** Users with devices. */
export async function usersWithDevices(sql: ISql): Promise<number[]> {
  const rows = await sql<{ user_id: number }[]>`select distinct user_id from push_devices`
  return rows.map(row => row.user_id)
}

export async function countDevices(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*)::int from push_devices where user_id = ${userId}`
  return row?.count ?? 0
}

/**
 * Stores a device, or the new values of the one with this endpoint. One of another account moves here: one browser gets the pushes of the
 * account that used it last. @returns its id
 */
export async function storeDevice(tx: Tx, device: NewDevice): Promise<number> {
  const { user_id, session_id, endpoint, p256dh, auth, name } = device
  const [row] = await tx<{ id: number }[]>`
    insert into push_devices (user_id, session_id, endpoint, p256dh, auth, name)
    values (${user_id}, ${session_id}, ${endpoint}, ${p256dh}, ${auth}, ${name})
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, name = excluded.name, failing_since = null,
      slow_until = null, created = case when push_devices.user_id = excluded.user_id then push_devices.created else now() end
    returning id`
  if (!row) throw new Error('the device was not stored')
  return row.id
}

/** False: the user has no such device. */
export async function deleteDevice(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { count } = await tx`delete from push_devices where user_id = ${userId} and id = ${id}`
  return count > 0
}

export function pushDevices(sql: ISql, ids: readonly number[]): Promise<PushDevice[]> {
  return sql<PushDevice[]>`
    select id, user_id, endpoint, p256dh, auth, failing_since, slow_until from push_devices
    where id = any(${ids as number[]}::int[]) order by id`
}

export function pushDevicesOf(sql: ISql, userIds: readonly number[]): Promise<PushDevice[]> {
  return sql<PushDevice[]>`
    select id, user_id, endpoint, p256dh, auth, failing_since, slow_until from push_devices
    where user_id = any(${userIds as number[]}::int[]) order by id`
}

interface Results {
  /** Ids of devices that got the push although earlier ones had failed. */
  readonly well: readonly number[]
  /** That did not get it, and will not. */
  readonly failed: readonly number[]
  /** That exist no more. */
  readonly gone: readonly number[]
  /** Of which an answer took long. */
  readonly slow: readonly number[]
}

/**
 * Notes what became of pushes. A device to which all pushes have failed for a week is deleted; after two days without a failure the week begins again,
 * because a device that got no push may be well. A slow device counts as slow for an hour.
 */
export async function noteResults(tx: Tx, { well, failed, gone, slow }: Results, now: Date): Promise<void> {
  const [at, fails] = [tx`${now}::timestamptz`, tx`id = any(${failed as number[]}::int[])`]
  const isOutage = tx`failed_at > ${at} - interval '2 days'`
  await tx`
    delete from push_devices where id = any(${gone as number[]}::int[])
      or ${fails} and failing_since < ${at} - interval '7 days' and ${isOutage}`
  await tx`
    update push_devices set
      failing_since = case
        when id = any(${well as number[]}::int[]) then null
        when ${fails} then case when ${isOutage} then coalesce(failing_since, ${at}) else ${at} end
        else failing_since
      end,
      failed_at = case when ${fails} then ${at} else failed_at end,
      slow_until = case when id = any(${slow as number[]}::int[]) then ${at} + interval '1 hour' else slow_until end
    where id = any(${[...new Set([...well, ...failed, ...slow])]}::int[])`
}
