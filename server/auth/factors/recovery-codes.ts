import { randomBytes } from 'node:crypto'

const codesAtOnce = 10
const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
// 80 bits.
const characters = 16

/** New recovery codes, as people keep them: `abcd-efgh-2345-mnop`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codesAtOnce }, newCode)

const newCode = (): string =>
  Array.from(randomBytes(characters), (byte, i) => (i > 0 && i % 4 === 0 ? '-' : '') + base32[byte % 32]).join('')

/** A code without what people add or leave out when they type it. */
export const plainCode = (typed: string): string => typed.toLowerCase().replace(/[\s-]/g, '')
