import { hash, verify } from '@node-rs/argon2'
import { BoundedWork } from '../concurrency/bounded-work.js'

// Hashes run in the process's pool of four threads, which file reads and name lookups need too; each takes one thread and 19 MiB for about
// 30 ms. Two may run at a time; with 100 waiting, further ones are rejected.
const hashing = new BoundedWork(2, 100, 'Too many people are signing in just now: try again.')

/**
 * Argon2id with the library's parameters (19 MiB, two passes), OWASP's recommended minimum.
 * @throws {ApiError} SERVER_NOT_READY if too many tasks are waiting.
 */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password))
}

// A hash that no password matches. Verified where an account has none, so the answer for an unknown account takes as long.
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/**
 * Whether the password matches. A null hash (unknown account, or no password) never matches, but takes as long to check.
 * @throws {ApiError} SERVER_NOT_READY if too many tasks are waiting.
 */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await hashing.run(() => verify(storedHash ?? dummyHash, password))
  return storedHash !== null && matches
}
