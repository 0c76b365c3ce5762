import { isIP } from 'node:net'
import { isPublicAddress } from './address-policy.js'

export const mostEndpointCharacters = 1_000
const localName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i

/**
 * Whether a push may be sent to an address that a user chose, as far as the address itself says: https, a host of the Internet, no credentials.
 * What its name resolves to is checked for each connection. `privateOrigins`: those that the operator allows beside (setting PUSH_PRIVATE_ORIGINS).
 */
export function isPushEndpoint(endpoint: string, privateOrigins: readonly string[]): boolean {
  if (endpoint.length > mostEndpointCharacters || !/^[\x21-\x7e]+$/.test(endpoint) || !URL.canParse(endpoint))
    return false
  const { origin, protocol, username, password, port, hostname, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || hash !== '') return false
  if (privateOrigins.includes(origin)) return true
  // Services below 1024 that are none of the Web could misread a request as one of their own.
  if (protocol !== 'https:' || (port !== '' && Number(port) < 1024)) return false
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !localName.test(host)
}
