import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The IP addresses of a host name; none: the name is not known. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

const timeoutMs = 2_000

/**
 * Resolves through DNS alone, never through /etc/hosts, whose names are of no other host. Not by getaddrinfo: it would occupy the few
 * threads in which Node also reads files, as long as a name server of a stranger likes.
 */
export function dnsResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  return async host => {
    if (isIP(host) !== 0) return [host]
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
