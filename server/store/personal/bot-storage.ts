import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

const byteaArray = 1001

/** The index contains the digest of a key, because a key can have any length. */
const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Reads the values of keys; `keys` null: all keys. The result omits keys that do not exist. */
export async function readBotStorage(
  sql: ISql,
  botId: number,
  keys: readonly string[] | null,
): Promise<Map<string, string>> {
  const rows = keys
    ? await sql<{ key: string; value: string }[]>`
        select key, value from bot_storage where bot_id = ${botId} and key_hash = any(${digests(sql, keys)}::bytea[])`
    : await sql<{ key: string; value: string }[]>`select key, value from bot_storage where bot_id = ${botId}`
  return new Map(rows.map(row => [row.key, row.value]))
}

/** Locks the bot's storage until the transaction ends. Returns its size in characters. */
export async function holdBotStorage(tx: Tx, botId: number): Promise<number> {
  const [row] = await tx<{ characters: number }[]>`
    insert into bot_storage_sizes (bot_id, characters) values (${botId}, 0)
    on conflict (bot_id) do update set characters = bot_storage_sizes.characters returning characters`
  if (!row) throw new Error('no size row came back')
  return Number(row.characters)
}

/**
 * `known`: how many of `keys` exist. `characters`: the size of these keys and their values in code points. `allKeys`: how many
 * keys the bot has in total.
 */
export async function storedAmong(
  tx: Tx,
  botId: number,
  keys: readonly string[],
): Promise<{ characters: number; known: number; allKeys: number }> {
  const [row] = await tx<{ characters: number; known: number; all_keys: number }[]>`
    select coalesce(sum(char_length(key) + char_length(value)), 0)::int8 as characters, count(*)::int as known,
      (select count(*)::int from bot_storage where bot_id = ${botId}) as all_keys
    from bot_storage where bot_id = ${botId} and key_hash = any(${digests(tx, keys)}::bytea[])`
  return { characters: Number(row?.characters ?? 0), known: row?.known ?? 0, allKeys: row?.all_keys ?? 0 }
}

/** Adds and overwrites entries. `characters`: the size of the bot's whole storage after this change. */
export async function storeForBot(
  tx: Tx,
  botId: number,
  entries: readonly (readonly [key: string, value: string])[],
  characters: number,
): Promise<void> {
  const keys = entries.map(([key]) => key)
  await tx`
    insert into bot_storage (bot_id, key_hash, key, value)
    select ${botId}, given.key_hash, given.key, given.value
    from unnest(${digests(tx, keys)}::bytea[], ${keys}::text[], ${entries.map(([, value]) => value)}::text[])
      as given (key_hash, key, value)
    on conflict (bot_id, key_hash) do update set value = excluded.value`
  await tx`update bot_storage_sizes set characters = ${characters} where bot_id = ${botId}`
}

/** Deletes keys; `keys` null: all keys. The caller has locked the storage. Returns the number of deleted keys. */
export async function removeFromBotStorage(tx: Tx, botId: number, keys: readonly string[] | null): Promise<number> {
  const which = keys ? tx`and key_hash = any(${digests(tx, keys)}::bytea[])` : tx``
  const [row] = await tx<{ removed: number }[]>`
    with gone as (
      delete from bot_storage where bot_id = ${botId} ${which} returning char_length(key) + char_length(value) as characters
    ), counted as (select count(*)::int as removed, coalesce(sum(characters), 0) as characters from gone)
    update bot_storage_sizes set characters = bot_storage_sizes.characters - counted.characters
    from counted where bot_id = ${botId} returning removed`
  return row?.removed ?? 0
}

const digests = (sql: ISql, keys: readonly string[]) => sql.array(keys.map(digestOf), byteaArray)
