import { z } from 'zod'
import { type KeySet, keySet } from './token-key-set.js'

// Rejects a public key given as a secret: every program that has the public key could sign tokens.
const pem = /^\s*-----BEGIN /

const symmetric = z
  .object({
    alg: z.enum(['HS256', 'HS384', 'HS512']),
    key: z
      .string()
      .min(1)
      .refine(key => !pem.test(key)),
  })
  .strict()
const asymmetric = z
  .object({
    alg: z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']),
    public_key: z.string().startsWith('-----BEGIN PUBLIC KEY-----'),
  })
  .strict()

const keys = z.array(z.union([symmetric, asymmetric])).min(1)

/** A key and the only algorithm with which it verifies tokens; the algorithm in a token's header decides nothing. */
export type TokenKey = z.infer<typeof keys>[number] | KeySet[number]

/**
 * Reads the setting JWT_SECRETS: a JSON array of `{"alg": "HS256", "key": "…"}` and
 * `{"alg": "RS256", "public_key": "-----BEGIN PUBLIC KEY-----…"}`, or a JWK set (RFC 7517) of secrets and public keys;
 * other text is one HS256 key.
 * @throws with one sentence that does not repeat the setting.
 */
export function readTokenKeys(setting: string | undefined): readonly TokenKey[] {
  if (!setting) return []
  if (!/^\s*[[{]/.test(setting) && !pem.test(setting)) return [{ alg: 'HS256', key: setting }]
  const json = jsonOf(setting)
  const isSet = typeof json === 'object' && json !== null && !Array.isArray(json)
  const read = (isSet ? keySet : keys).safeParse(json)
  if (read.success) return read.data
  const place = read.error.issues[0]?.path.find(step => typeof step === 'number')
  throw new Error(
    `The setting JWT_SECRETS must be a JSON array of keys, each with alg and either key or public_key, or a JWK set of ` +
      `secrets and public keys${place === undefined ? '' : ` (see number ${place + 1})`}.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
