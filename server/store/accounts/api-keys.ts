import type { Tx } from '../driver/db.js'

/** Stores new API keys, by user id. Devices that programs added with the former keys get no pushes any more. */
export async function replaceApiKeys(tx: Tx, keys: ReadonlyMap<number, string>, version: number): Promise<void> {
  const ids = [...keys.keys()]
  await tx`
    with ended as (delete from push_devices where user_id = any(${ids}::int[]) and session_id is null)
    update users set api_key = given.api_key, version = ${version}
    from unnest(${ids}::int[], ${[...keys.values()]}::text[]) as given (id, api_key)
    where users.id = given.id`
}
