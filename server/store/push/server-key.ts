import type { ISql } from '../driver/db.js'

/** A key pair of P-256: the point without compression, and the scalar. */
export interface PushKey {
  readonly public_key: Buffer
  readonly private_key: Buffer
}

/** The key pair of the server. Of two workers that make the first one, both get the one that was stored first. */
export async function serverKey(sql: ISql, made: () => PushKey): Promise<PushKey> {
  const known = () => sql<PushKey[]>`select public_key, private_key from push_server_key`
  const [key] = await known()
  if (key) return key
  const { public_key, private_key } = made()
  await sql`
    insert into push_server_key (public_key, private_key) values (${public_key}, ${private_key})
    on conflict (is_only) do nothing`
  const [stored] = await known()
  if (!stored) throw new Error('the key pair of the server was not stored')
  return stored
}
