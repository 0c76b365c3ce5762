import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

// Bytes of a secret: as many as the hash of SHA-1 (RFC 4226).
const secretBytes = 20
const periodMs = 30_000
// Clocks differ, and people need time to type: the codes of the period before and of the one after are accepted, too.
const periodsBeside = 1
const codePattern = /^\d{6}$/

export const newAppSecret = (): Buffer => randomBytes(secretBytes)

interface Account {
  readonly organization: string
  readonly address: string
}

const generator = (secret: Uint8Array, { organization, address }: Account = { organization: '', address: '' }): TOTP =>
  new TOTP({
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    // A colon would separate the two.
    issuer: organization.replaceAll(':', ' '),
    label: address,
  })

/** The secret as people type it into an app (base32), and the address that a QR code shows to the app. */
export function appSetUp(secret: Uint8Array, account: Account): { readonly secret: string; readonly uri: string } {
  const totp = generator(secret, account)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Whether a text has the form of a code, which a recovery code never has. */
export const isAppCode = (text: string): boolean => codePattern.test(text)

/** The period of which the text is the code (RFC 6238: SHA-1, 6 digits, 30 seconds), at a time in ms; undefined: of none near the time. */
export function periodOf(secret: Uint8Array, code: string, now: number): number | undefined {
  if (!isAppCode(code)) return undefined
  const delta = generator(secret).validate({ token: code, timestamp: now, window: periodsBeside })
  return delta === null ? undefined : Math.floor(now / periodMs) + delta
}
