import { importSPKI, type JWTPayload, jwtVerify } from 'jose'
import { badRequest } from '../../shared/errors.js'
import type { TokenKey } from './token-keys.js'

/**
 * The email claim of a signed token (api.md E9). Each key is tried with its own algorithm alone, so that neither `none` nor
 * a public key used as a secret gets through; `exp` and `nbf` are kept where they are given.
 * @throws {ApiError} BAD_REQUEST
 */
export async function emailInToken(token: string, keys: readonly TokenKey[], now: Date): Promise<string> {
  if (keys.length === 0) throw badRequest('JWT authentication is not enabled for this organization')
  if (token === '') throw badRequest('No JSON web token passed in request')
  for (const key of keys) {
    const claims = await verified(token, key, now)
    if (!claims) continue
    if (typeof claims.email !== 'string') throw badRequest('No email specified in JSON web token claims')
    return claims.email
  }
  throw badRequest('Bad JSON web token')
}

async function verified(token: string, key: TokenKey, currentDate: Date): Promise<JWTPayload | undefined> {
  const material = 'key' in key ? new TextEncoder().encode(key.key) : await importSPKI(key.public_key, key.alg)
  try {
    return (await jwtVerify(token, material, { algorithms: [key.alg], currentDate })).payload
  } catch {
    // Malformed, of another key, expired: the caller is told the same of all.
    return undefined
  }
}
