import type { HttpResponse } from 'uWebSockets.js'
import type { BlockList } from 'node:net'
import { isIn, plainAddress, readNetworks } from '../text/addresses.js'

/** Where requests come from: TRUSTED_PROXIES may tell in X-Forwarded-For; of anyone else that header is not believed. */
export class Addresses {
  private readonly trusted: BlockList | undefined

  constructor(trustedProxies: readonly string[]) {
    this.trusted = trustedProxies.length > 0 ? readNetworks(trustedProxies) : undefined
  }

  /** Whether a request came by a trusted proxy: somebody who stands between the client and this server, and whose headers count. */
  isForwarded(res: HttpResponse): boolean {
    return this.trusted !== undefined && isIn(this.trusted, peerOf(res))
  }

  /**
   * The address of the client: the peer, or where a trusted proxy tells (`forwardedFor`) the last one that no trusted proxy
   * has. What stands before it was written by somebody who is not trusted.
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

/** Some proxies add the port: `1.2.3.4:5678`, `[::1]:5678`. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon >= 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}
