import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importSPKI, type JWK } from 'jose'
import type { TokenKey } from './token-keys.js'

/** The algorithms of sign-in tokens for which the server can create keys. */
export const newKeyAlgorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type NewKeyAlgorithm = (typeof newKeyAlgorithms)[number]

/** A key in the form of the setting JWT_SECRETS: a public key, or a shared secret. */
export interface SettingKey extends JWK {
  readonly kid: string
  readonly alg: string
}

export interface NewTokenKey {
  /** The part for the server's setting. */
  readonly key: SettingKey
  /** The part for the program that signs: PKCS #8 in PEM, or the secret as base64url text. The server does not store it. */
  readonly signing: string
}

// Bytes; the length of an HS256 digest.
const secretBytes = 32

/** @param kid names the key; by default its thumbprint (RFC 7638), or random text for a secret */
export async function newTokenKey(alg: NewKeyAlgorithm, kid: string | undefined): Promise<NewTokenKey> {
  if (alg === 'HS256') {
    const signing = randomBytes(secretBytes).toString('base64url')
    return {
      key: { kty: 'oct', k: signing, alg, use: 'sig', kid: kid ?? randomBytes(6).toString('base64url') },
      signing,
    }
  }
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const key = { ...jwk, alg, use: 'sig', kid: kid ?? (await calculateJwkThumbprint(jwk)) }
  return { key, signing: await exportPKCS8(privateKey) }
}

/** The keys of the setting, each with a key id: the configured one, or else the thumbprint of the key. */
export async function namedKeys(keys: readonly TokenKey[]): Promise<SettingKey[]> {
  return await Promise.all(keys.map(named))
}

async function named(key: TokenKey): Promise<SettingKey> {
  const jwk: JWK = 'jwk' in key ? { ...key.jwk } : await jwkOf(key)
  const kid = ('kid' in key ? key.kid : undefined) ?? (await calculateJwkThumbprint(jwk))
  return { ...jwk, alg: key.alg, use: 'sig', kid }
}

async function jwkOf(key: { alg: string; key: string } | { alg: string; public_key: string }): Promise<JWK> {
  if ('key' in key) return { kty: 'oct', k: Buffer.from(key.key).toString('base64url') }
  return await exportJWK(await importSPKI(key.public_key, key.alg, { extractable: true }))
}
