import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The IP addresses of a host name; none: the name is not known. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

const timeoutMs = 2_000

/**
 * Resolves a name by DNS queries alone. `getaddrinfo` would also read /etc/hosts, whose names are hosts of this network, and it occupies one of
 * Node's few threads for files until a name server, which may be an attacker's, has answered.
 */
export function dnsResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  return async host => {
    if (isIP(host) !== 0) return [host]
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
