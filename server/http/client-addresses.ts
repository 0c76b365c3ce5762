import type { HttpResponse } from 'uWebSockets.js'
import type { BlockList } from 'node:net'
import { isIn, plainAddress, readNetworks } from '../config/addresses.js'

/** Client addresses. X-Forwarded-For counts only when it comes from TRUSTED_PROXIES. */
export class ClientAddresses {
  private readonly trusted: BlockList | undefined

  constructor(trustedProxies: readonly string[]) {
    this.trusted = trustedProxies.length > 0 ? readNetworks(trustedProxies) : undefined
  }

  /** Whether the request came through a trusted proxy, whose headers count. */
  isForwarded(res: HttpResponse): boolean {
    return this.trusted !== undefined && isIn(this.trusted, peerOf(res))
  }

  /**
   * The client's address: the peer, or behind trusted proxies (`forwardedFor`) the last address that is not a trusted proxy's. Addresses
   * before it were written by a client that is not trusted.
   */
  of(res: HttpResponse, forwardedFor: string): string {
    const peer = peerOf(res)
    if (!this.trusted || forwardedFor === '') return peer
    let nearest = peer
    for (const text of forwardedFor.split(',').reverse()) {
      const address = plainAddress(withoutPort(text.trim()))
      if (address === undefined) return nearest
      if (!isIn(this.trusted, address)) return address
      nearest = address
    }
    return nearest
  }
}

function peerOf(res: HttpResponse): string {
  const text = Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
  return plainAddress(text) ?? text
}

/** Removes the port that some proxies add: `1.2.3.4:5678`, `[::1]:5678`. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon >= 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}
