import type { HttpResponse } from 'uWebSockets.js'

const loopback = new Set(['127.0.0.1', '::1', '0000:0000:0000:0000:0000:0000:0000:0001'])

/**
 * Where a request came from. A proxy on this machine tells the real address in X-Forwarded-For: its last entry, which the
 * proxy itself has added. Anyone else could write there what he likes.
 */
export function addressOf(res: HttpResponse, forwardedFor: string): string {
  const peer = Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
  if (forwardedFor === '' || !loopback.has(peer)) return peer
  return forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim() || peer
}
