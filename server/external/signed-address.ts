import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where content of other hosts is served (docs/protocol/files.md#content-of-other-hosts). */
export const externalRoot = '/external_content/'
const signed = /^([0-9a-f]{40})\/((?:[0-9a-f]{2})+)$/

/**
 * The address at this server for an address of another host: always the same, so that a message renders the same again. The signature
 * proves that a message named it; without one the server would fetch any address for any caller.
 */
export function signedAddress(secret: string, url: string): string {
  const bytes = Buffer.from(url)
  return `${externalRoot}${macOf(secret, bytes).toString('hex')}/${bytes.toString('hex')}`
}

/** The address of the other host; undefined: this server did not sign it. */
export function readSignedAddress(secret: string, path: string): string | undefined {
  const [, mac = '', hex = ''] = signed.exec(path.slice(externalRoot.length)) ?? []
  if (mac === '') return undefined
  const bytes = Buffer.from(hex, 'hex')
  return timingSafeEqual(Buffer.from(mac, 'hex'), macOf(secret, bytes)) ? bytes.toString() : undefined
}

// SHA-1 gives the length that clients know, and is safe in this use. The words separate the key from those of other tokens.
const macOf = (secret: string, bytes: Buffer): Buffer =>
  createHmac('sha1', `external content ${secret}`).update(bytes).digest()
