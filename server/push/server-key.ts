import { importJWK, SignJWT } from 'jose'

/** The key pair by which push services recognize this server: an uncompressed point of P-256, and its scalar. */
export interface ServerKey {
  readonly public_key: Buffer
  readonly private_key: Buffer
}

const validSeconds = 12 * 3600
// A signature is used again until it has this long left, so that the clock of a push service may be wrong by some minutes.
const leftSeconds = 3600

/** The header `Authorization` of a push (VAPID, RFC 8292): a signature for one origin, which says who operates the server. */
export async function authorization(
  { public_key, private_key }: ServerKey,
  origin: string,
  subject: string,
  nowMs: number,
): Promise<{ header: string; renewAtMs: number }> {
  const [x, y, d] = [public_key.subarray(1, 33), public_key.subarray(33), private_key].map(part =>
    part.toString('base64url'),
  )
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y, d } as { kty: 'EC' }, 'ES256')
  const expires = Math.floor(nowMs / 1000) + validSeconds
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(origin)
    .setExpirationTime(expires)
    .setSubject(subject)
    .sign(key)
  const header = `vapid t=${token}, k=${public_key.toString('base64url')}`
  return { header, renewAtMs: (expires - leftSeconds) * 1000 }
}
