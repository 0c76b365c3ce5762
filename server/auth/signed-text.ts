import { createHmac, timingSafeEqual } from 'node:crypto'

// Hexadecimal characters of a SHA-256.
const macLength = 64

/**
 * A token of hexadecimal characters that contains values and proves that this server made it. `purpose` separates tokens of different uses.
 */
export function sign(secret: string, purpose: string, values: readonly (string | number)[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('hex')
  return macOf(secret, purpose, payload) + payload
}

/** The values of a token; undefined: this server did not make it for this purpose. */
export function readSigned(secret: string, purpose: string, token: string): unknown[] | undefined {
  if (token.length <= macLength || !/^[0-9a-f]+$/.test(token)) return undefined
  const payload = token.slice(macLength)
  const expected = macOf(secret, purpose, payload)
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(token.slice(0, macLength)))) return undefined
  return JSON.parse(Buffer.from(payload, 'hex').toString())
}

const macOf = (secret: string, purpose: string, payload: string): string =>
  createHmac('sha256', secret).update(`${purpose} ${payload}`).digest('hex')
