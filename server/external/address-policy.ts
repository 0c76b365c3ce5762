import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Whether the server may connect to an IP address that a user chose. */
export type AddressPolicy = (address: string) => boolean

// Azure's service for virtual machines is the one metadata service with an address of the public ranges.
const metadataServices: ReadonlySet<string> = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address belongs to a host of the Internet (docs/security.md#content-of-other-hosts). Private, loopback, link-local,
 * shared, multicast, reserved and tunnel ranges do not, nor does this machine under any of its addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || metadataServices.has(parsed.toString())) return false
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false
  return !ownAddresses().has(parsed.toString())
}

/** Read for each connection: interfaces come and go. */
function ownAddresses(): ReadonlySet<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return new Set(interfaces.map(({ address }) => ipaddr.process(address).toString()))
}
