import { randomBytes, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 32 characters A-Z a-z 0-9 (docs/protocol/conventions.md#api-keys). */
export function newApiKey(): string {
  return Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')
}

/** A password that nobody has to remember: its owner keeps it in a file or changes it. */
export const newPassword = (): string => randomBytes(12).toString('base64url')
