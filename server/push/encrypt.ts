import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a receiver, as its browser or program made them. */
export interface ReceiverKeys {
  /** The public key, an uncompressed point of P-256: 65 bytes. */
  readonly p256dh: Uint8Array
  /** 16 bytes. */
  readonly auth: Uint8Array
}

/** Chosen by tests alone. */
interface Chosen {
  readonly salt: Uint8Array
  readonly privateKey: Uint8Array
}

const curve = 'prime256v1'
const pointBytes = 65
const tagBytes = 16
const lastRecord = 2
/** Bytes that a body is longer than its text: salt, size of a record, length of the key, key, delimiter and tag. */
export const overheadBytes = 16 + 4 + 1 + pointBytes + 1 + tagBytes
/** What every push service takes (RFC 8030, section 7.2). */
export const mostBodyBytes = 4096

/**
 * Encrypts a text for one receiver: the body of a push in the coding `aes128gcm`, one record (RFC 8291, RFC 8188). Each body has a key pair
 * and a salt of its own.
 * @throws if the body would be longer than `mostBodyBytes`, or the receiver's point is not on the curve
 */
export function encryptPush(text: Uint8Array, { p256dh, auth }: ReceiverKeys, chosen?: Chosen): Buffer {
  if (text.length + overheadBytes > mostBodyBytes) throw new Error('the text of a push is too long')
  const own = createECDH(curve)
  if (chosen) own.setPrivateKey(chosen.privateKey)
  else own.generateKeys()
  const point = own.getPublicKey()
  const salt = chosen?.salt ?? randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, point])
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(p256dh), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const sealed = [cipher.update(text), cipher.update(Uint8Array.of(lastRecord)), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(mostBodyBytes)
  sizes.writeUInt8(pointBytes, 4)
  return Buffer.concat([salt, sizes, point, ...sealed])
}
