import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether a header has the hexadecimal HMAC-SHA256 of the body. */
export const hasHmac = (given: string, body: Uint8Array, key: string): boolean =>
  isSecret(given, createHmac('sha256', key).update(body).digest('hex'))

/** Compares in constant time. */
export function isSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
