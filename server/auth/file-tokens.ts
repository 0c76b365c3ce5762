import { createHash } from 'node:crypto'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { readSigned, sign } from './signed-text.js'

const temporaryMs = 60_000
/** Seconds for which a page may read files without its credentials. */
export const sessionSeconds = 86_400

interface Signer {
  readonly directory: Directory
  readonly clock: { now(): number }
}

/** A token with which any client may read one file for a minute (docs/protocol/files.md#temporary-addresses). */
export const temporaryToken = ({ directory, clock }: Signer, pathId: string): string =>
  sign(directory.organization.secret, 'temporary', [pathId, clock.now() + temporaryMs])

/** The file of such a token; undefined: it is foreign or too old. */
export function fileOfToken({ directory, clock }: Signer, token: string): string | undefined {
  const [pathId, until] = readSigned(directory.organization.secret, 'temporary', token) ?? []
  return typeof pathId === 'string' && Number(until) > clock.now() ? pathId : undefined
}

/** The value of the cookie with which a page reads files: browsers send no other credentials for a picture. */
export const sessionToken = ({ directory, clock }: Signer, user: UserRow): string =>
  sign(directory.organization.secret, 'session', [user.id, digestOf(user.api_key), clock.now() + sessionSeconds * 1000])

/** The account of such a cookie; undefined: it is foreign or too old, or the account's key has changed since. */
export function userOfSession({ directory, clock }: Signer, token: string): UserRow | undefined {
  const [id, digest, until] = readSigned(directory.organization.secret, 'session', token) ?? []
  const user = directory.users.get(Number(id))
  if (!user?.is_active || !directory.organization.is_active) return undefined
  return digest === digestOf(user.api_key) && Number(until) > clock.now() ? user : undefined
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')
