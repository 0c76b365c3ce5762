import { BlockList, isIP, SocketAddress } from 'node:net'

/** The address as it is usually written: an IPv4 address that was mapped into IPv6 as itself, IPv6 shortened. Undefined: none. */
export function plainAddress(text: string): string | undefined {
  const version = isIP(text)
  if (version === 4) return text
  if (version !== 6) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address
}

/**
 * Whom an address stands for where callers are counted: for IPv4 itself, for IPv6 its /64, since one line gets at least
 * that many addresses. Takes what `plainAddress` gives.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === '' ? [] : right.split(':')
  const zeros = address.includes('::') ? 8 - before.length - after.length : 0
  return `${[...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`
}

/** Of this machine alone, as a host is written in a setting. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** @throws with what is wrong with the one that is no address and no network (`10.0.0.0/8`, `fd00::/8`). */
export function readNetworks(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits, ...more] = text.split('/')
    const version = isIP(address)
    const most = version === 4 ? 32 : 128
    if (version === 0 || more.length > 0) throw new Error(`has ${text}, which is no address and no network`)
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= most) list.addSubnet(address, Number(bits), family)
    else throw new Error(`has ${text}, whose network has no such length`)
  }
  return list
}

/** Whether a list of `readNetworks` has it. Takes what `plainAddress` gives. */
export function isIn(list: BlockList, address: string): boolean {
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
