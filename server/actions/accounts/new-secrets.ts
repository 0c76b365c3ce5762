import { randomBytes, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random API key of 32 characters A-Z a-z 0-9 (docs/protocol/conventions.md#api-keys). */
export function newApiKey(): string {
  return Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')
}

/** A random password, to be stored in a file or changed by its owner. */
export const newPassword = (): string => randomBytes(12).toString('base64url')

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The random key of a link that lets a person in: 120 bits as 24 characters of base32. */
export const newLinkKey = (): string => Array.from(randomBytes(24), byte => base32[byte % 32]).join('')
