import { randomBytes, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random API key of 32 characters A-Z a-z 0-9 (docs/protocol/conventions.md#api-keys). */
export function newApiKey(): string {
  return Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')
}

/** A random password, to be stored in a file or changed by its owner. */
export const newPassword = (): string => randomBytes(12).toString('base64url')
