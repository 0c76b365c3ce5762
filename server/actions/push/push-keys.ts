import { createECDH } from 'node:crypto'
import type { ISql } from '../../store/driver/db.js'
import { type PushKey, serverKey } from '../../store/push/server-key.js'

const curve = 'prime256v1'
const scalarBytes = 32

/** The key pair by which push services recognize this server (VAPID); made at its first use. */
export const ownPushKey = (sql: ISql): Promise<PushKey> => serverKey(sql, newKey)

function newKey(): PushKey {
  const pair = createECDH(curve)
  pair.generateKeys()
  const scalar = pair.getPrivateKey()
  // Without leading zeros it may be shorter.
  return {
    public_key: pair.getPublicKey(),
    private_key: Buffer.concat([Buffer.alloc(scalarBytes - scalar.length), scalar]),
  }
}

/** Whether a receiver's public key is a point of the curve, without compression. */
export function isReceiverKey(p256dh: Uint8Array): boolean {
  if (p256dh[0] !== 4) return false
  try {
    const pair = createECDH(curve)
    pair.generateKeys()
    pair.computeSecret(p256dh)
    return true
  } catch {
    return false
  }
}
