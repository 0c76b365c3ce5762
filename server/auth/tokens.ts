import { decodeProtectedHeader, importJWK, importSPKI, type JWTPayload, jwtVerify } from 'jose'
import { badRequest } from '../../shared/errors.js'
import type { TokenKey } from './token-keys.js'

/**
 * The email claim of a signed token (docs/sign-in-tokens.md). Each key is tried only with its own algorithm, so that tokens with `none`,
 * and tokens signed with a public key as the secret, are rejected. `exp` and `nbf` are checked where present.
 * @throws {ApiError} BAD_REQUEST
 */
export async function emailInToken(token: string, keys: readonly TokenKey[], now: Date): Promise<string> {
  if (keys.length === 0) throw badRequest('JWT authentication is not enabled for this organization')
  if (token === '') throw badRequest('No JSON web token passed in request')
  const named = keyNamedIn(token)
  for (const key of keys) {
    // Different key ids: another key signed the token. If either side has no key id, the signature decides.
    if (named !== undefined && 'kid' in key && key.kid !== undefined && key.kid !== named) continue
    const claims = await verified(token, key, now)
    if (!claims) continue
    if (typeof claims.email !== 'string') throw badRequest('No email specified in JSON web token claims')
    return claims.email
  }
  throw badRequest('Bad JSON web token')
}

/** @throws an error with one sentence that does not contain the key, if a well-formed key is invalid or too short. */
export async function requireUsableKeys(keys: readonly TokenKey[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const problem = await problemOf(key)
    if (problem)
      throw new Error(`The setting JWT_SECRETS has a key that cannot be used (see number ${index + 1}): ${problem}.`)
  }
}

const minRsaBits = 2048

/** By RFC 7518, 3.2 and 3.3: a shorter secret can be found by brute force from any token that it signed. */
async function problemOf(key: TokenKey): Promise<string | undefined> {
  try {
    const material = await materialOf(key)
    if (material instanceof Uint8Array) {
      const minBytes = Number(key.alg.slice(-3)) / 8
      if (material.length >= minBytes) return undefined
      return `${key.alg} needs a secret of at least ${minBytes} bytes, this one has ${material.length}`
    }
    const { modulusLength = minRsaBits } = material.algorithm as { modulusLength?: number }
    if (modulusLength >= minRsaBits) return undefined
    return `an RSA key needs at least ${minRsaBits} bits, this one has ${modulusLength}`
  } catch {
    return `it is no ${key.alg} key`
  }
}

async function verified(token: string, key: TokenKey, currentDate: Date): Promise<JWTPayload | undefined> {
  const material = await materialOf(key)
  try {
    return (await jwtVerify(token, material, { algorithms: [key.alg], currentDate })).payload
  } catch {
    // The caller gets the same error for malformed, expired and wrongly signed tokens.
    return undefined
  }
}

function materialOf(key: TokenKey) {
  if ('jwk' in key) return importJWK(key.jwk, key.alg)
  return 'key' in key ? new TextEncoder().encode(key.key) : importSPKI(key.public_key, key.alg)
}

function keyNamedIn(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    // Not a token: the signature check rejects it.
    return undefined
  }
}
