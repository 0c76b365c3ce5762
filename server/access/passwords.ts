import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../shared/errors.js'
import { Turns } from './turns.js'

// The process has one pool of four threads, which reads of files and names need as well; each hash takes one of them and 19 MiB for
// some 30 ms. Who would have to wait for a hundred others is asked to come again.
const turns = new Turns(2, 100)

/**
 * Argon2id with the library's parameters (19 MiB, two passes): what OWASP recommends at the least.
 * @throws {ApiError} SERVER_NOT_READY when too many are waiting.
 */
export function hashPassword(password: string): Promise<string> {
  return taken(() => hash(password))
}

// The hash of no password. Checked where there is none to check, so that the answer takes as long for an unknown account.
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/**
 * Null stands for an account that does not exist or has no password: never right, and as slow to find out.
 * @throws {ApiError} SERVER_NOT_READY when too many are waiting.
 */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await taken(() => verify(storedHash ?? nobody, password))
  return storedHash !== null && matches
}

function taken<T>(work: () => Promise<T>): Promise<T> {
  const result = turns.take(work)
  if (!result) throw new ApiError('SERVER_NOT_READY', 'Too many people are signing in just now: try again.')
  return result
}
