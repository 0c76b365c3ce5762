import { isIP } from 'node:net'

/** For which site passkeys are. */
export interface RelyingParty {
  /** The host of the public address, without its port. */
  readonly id: string
  readonly origin: string
}

/** Undefined: browsers have no passkeys for this public address. They need TLS or `localhost`, and a name in place of an IP address. */
export function relyingParty(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSafe && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : undefined
}
