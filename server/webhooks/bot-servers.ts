import { isPublicAddress } from '../external/address-policy.js'
import { ExternalFailure } from '../external/external-failure.js'
import { chunksOf, ExternalHosts } from '../external/external-hosts.js'
import { dnsResolver, type ResolveHost } from '../external/resolve-host.js'

/** What the server of a bot has answered. */
export interface BotAnswer {
  readonly status: number
  readonly body: string
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
}

interface Call {
  readonly address: string
  readonly type: 'application/json' | 'application/x-www-form-urlencoded'
  readonly body: string
  readonly userAgent: string
  /** Further ones. */
  readonly headers?: Readonly<Record<string, string>>
}

const timeoutMs = 10_000
const mostAnswerBytes = 262_144
// A server that does not answer holds at most these places, for as long as the time-out.
const places = { atOnce: 32, perHost: 8, waiting: 1_000, waitingPerOwner: 100 }
const perServer = 4

/**
 * Sends messages to the servers of bots. Each connection goes to an address that was resolved once and checked, and no redirect is followed, so
 * no bot leads into the server's own network; `privateOrigins`: those that the operator allows beside.
 */
export class BotServers {
  private readonly outside: ExternalHosts
  private readonly own: ExternalHosts

  constructor(
    private readonly privateOrigins: readonly string[],
    resolve: ResolveHost = dnsResolver(),
  ) {
    this.outside = new ExternalHosts(isPublicAddress, resolve, places)
    this.own = new ExternalHosts(() => true, resolve, places)
  }

  /** @throws {ExternalFailure} there is no answer in time, or one that is too long */
  async call({ address, type, body, userAgent, headers }: Call, ending: AbortSignal): Promise<BotAnswer> {
    const { origin, host } = new URL(address)
    const hosts = this.privateOrigins.includes(origin) ? this.own : this.outside
    const inTime = new AbortController()
    const end = () => inTime.abort()
    const timer = setTimeout(end, timeoutMs)
    ending.addEventListener('abort', end)
    if (ending.aborted) end()
    try {
      const answer = await hosts.post(address, {
        body,
        headers: {
          'content-type': type,
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': userAgent,
          ...headers,
        },
        owner: { key: host, most: perServer },
        signal: inTime.signal,
      })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of chunksOf(answer)) {
        bytes += chunk.length
        if (bytes > mostAnswerBytes) throw new ExternalFailure('the answer is too long')
        chunks.push(chunk)
      }
      return {
        status: answer.status,
        body: Buffer.concat(chunks).toString('utf8'),
        retryAfter: answer.body.headers['retry-after'],
      }
    } finally {
      clearTimeout(timer)
      ending.removeEventListener('abort', end)
    }
  }
}
