import { createHash } from 'node:crypto'
import type { ISql } from '../store/driver/db.js'
import { readPasswordHash } from '../store/users/users.js'

/** Changes with the account's password, and may leave the server, unlike its hash: what is signed with it counts until then. */
export async function passwordDigest(sql: ISql, userId: number): Promise<string> {
  return createHash('sha256')
    .update((await readPasswordHash(sql, userId)) ?? '')
    .digest('base64url')
}
