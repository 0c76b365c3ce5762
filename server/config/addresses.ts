import { BlockList, isIP, SocketAddress } from 'node:net'

/** The address in its usual form: an IPv4-mapped IPv6 address as IPv4, IPv6 shortened. Undefined if the text is no address. */
export function plainAddress(text: string): string | undefined {
  const version = isIP(text)
  if (version === 4) return text
  if (version !== 6) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address
}

/**
 * The network that limits count an address by: the IPv4 address itself, or the /64 of an IPv6 address, since one
 * customer gets at least a /64. Expects the form that `plainAddress` returns.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === '' ? [] : right.split(':')
  const zeros = address.includes('::') ? 8 - before.length - after.length : 0
  return `${[...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`
}

/** Whether browsers reach the server by TLS. */
export const isHttps = ({ publicUrl }: { readonly publicUrl: string }): boolean => publicUrl.startsWith('https:')

/** Whether a host in a setting is this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** @throws an Error that names the text that is neither an address nor a network (`10.0.0.0/8`, `fd00::/8`). */
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

/** Whether an address is in a list of `readNetworks`. Expects the form that `plainAddress` returns. */
export function isIn(list: BlockList, address: string): boolean {
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
