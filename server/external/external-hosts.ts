import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { budgets } from '../config/budgets.js'
import type { AddressPolicy } from './address-policy.js'
import { ExternalFailure } from './external-failure.js'
import type { ResolveHost } from './resolve-host.js'

const maxHeaderSize = 16_384
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const userAgent = 'ParleyBot/1.0 (link preview)'

export interface ExternalAnswer {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  /** In lower case and without parameters; '' if there is none. */
  readonly type: string
  /** Destroying it closes the connection. */
  readonly body: IncomingMessage
}

/**
 * Reads from hosts that users name. Each connection, also after a redirect, goes to an address that was resolved once and checked, so
 * that no name leads into the server's own network (docs/security.md#content-of-other-hosts). Nothing of a user is sent along.
 */
export class ExternalHosts {
  constructor(
    private readonly mayConnect: AddressPolicy,
    private readonly resolve: ResolveHost,
  ) {}

  /**
   * Begins a GET. `signal` ends it at any time, also while the body is read.
   * @throws {ExternalFailure}
   */
  async get(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ExternalAnswer> {
    let url = urlOf(address)
    for (let hop = 0; hop <= budgets.externalRedirects.most; hop++) {
      const body = await this.#ask(url, headers, signal)
      const { statusCode: status = 0, headers: answered } = body
      if (!redirects.has(status) || answered.location === undefined) {
        return { url, status, type: bareType(answered['content-type']), body }
      }
      body.destroy()
      url = urlOf(answered.location, url.href)
    }
    throw new ExternalFailure('too many redirects')
  }

  async #ask(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    const addresses = await this.#checkedAddresses(url.hostname.replace(/^\[|\]$/g, ''))
    const lookup: LookupFunction = (_, options, callback) => {
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    }
    const ask = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      // Without an agent there is no connection that an earlier check allowed. A compressed body could be larger than it seems.
      const asked = ask(url, {
        agent: false,
        headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
        lookup,
        maxHeaderSize,
        signal,
      })
      asked.once('response', resolve)
      // Stays after the answer: the same error is then one of the body.
      asked.on('error', error => reject(new ExternalFailure(error.message)))
      asked.once('close', () => reject(new ExternalFailure('the connection was closed')))
      asked.end()
    })
  }

  /** All of them have to be allowed: a name with a private address is none of a public host. */
  async #checkedAddresses(host: string): Promise<{ address: string; family: number }[]> {
    const addresses = await this.resolve(host)
    if (addresses.length === 0) throw new ExternalFailure('the host is not known')
    if (!addresses.every(this.mayConnect)) throw new ExternalFailure('the host has an address that is not public')
    return addresses.map(address => ({ address, family: isIP(address) }))
  }
}

/** The body as it arrives. @throws {ExternalFailure} if it breaks off, or the signal of the fetch ends it */
export async function* chunksOf({ body }: ExternalAnswer): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    throw new ExternalFailure(String(error))
  }
}

/** Whether an address could be one of another host; only its host's addresses decide whether it is read. */
export function isExternalAddress(address: string): boolean {
  if (Buffer.byteLength(address) > budgets.externalAddress.most || !URL.canParse(address)) return false
  const { protocol, username, password, port } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  // Services below 1024 that are none of the Web could misread a request as one of their own.
  return port === '' || port === '80' || port === '443' || Number(port) >= 1024
}

function urlOf(address: string, base?: string): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined
  if (!url || !isExternalAddress(url.href)) throw new ExternalFailure('the address is none of another host')
  return url
}

const bareType = (header = ''): string => (header.split(';')[0] ?? '').trim().toLowerCase()
