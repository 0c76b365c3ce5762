import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importSPKI, type JWK } from 'jose'
import type { TokenKey } from './token-keys.js'

/** What sign-in tokens may be signed with, of what is made here. */
export const newKeyAlgorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type NewKeyAlgorithm = (typeof newKeyAlgorithms)[number]

/** A key as the setting JWT_SECRETS holds it: public, or a secret that both sides have. */
export interface SettingKey extends JWK {
  readonly kid: string
  readonly alg: string
}

export interface NewTokenKey {
  /** For the server. */
  readonly key: SettingKey
  /** For the program that signs: PKCS #8 in PEM, or the secret as base64url text. Kept nowhere here. */
  readonly signing: string
}

// As long as what HS256 makes of it.
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

/** The keys of the setting, each under a name: what it was called, or else the thumbprint of the key. */
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
