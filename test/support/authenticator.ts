import { createHmac } from 'node:crypto'
import type { Person } from './people.js'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map(letter => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

/** The code that an authenticator app shows at a time in ms (RFC 6238). */
export function codeAt(secret: string, now: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The clock of a test's server. */
interface Timed {
  readonly ctx: { readonly clock: { now(): number } }
}

/** Adds an authenticator app to an account that has a password. The code of the present period is used up. */
export async function addApp({ ctx }: Timed, person: Person, password: string) {
  const { proof } = await person.ok('POST', '/users/me/factors/proof', { password })
  const { secret, setup } = await person.ok('POST', '/users/me/factors/app/setup', { proof })
  const code = codeAt(secret, ctx.clock.now())
  const { recovery_codes } = await person.ok('POST', '/users/me/factors/app', { setup, code })
  return { secret: secret as string, recoveryCodes: recovery_codes as string[], proof: proof as string }
}
