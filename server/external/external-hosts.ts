import type { LookupAddress } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { networkOf, plainAddress } from '../config/addresses.js'
import { budgets } from '../config/budgets.js'
import type { AddressPolicy } from './address-policy.js'
import { ExternalFailure, OtherHost } from './external-failure.js'
import { type FetchOwner, FetchPlaces, type PlaceLimits } from './fetch-places.js'
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

export interface Fetch {
  readonly headers: Readonly<Record<string, string>>
  readonly owner: FetchOwner
  /** Sent by POST; absent: a GET. */
  readonly body?: string
  /** Whether a host may be asked, also after a redirect; absent: any. */
  readonly mayAsk?: (url: URL) => boolean
  /** Ends the fetch at any time, also while the body is read. */
  readonly signal: AbortSignal
}

/**
 * Reads from hosts that users name. Each connection, also after a redirect, goes to an address that was resolved once and checked, so
 * that no name leads into the server's own network (docs/security.md#content-of-other-hosts). Nothing of a user is sent along.
 */
export class ExternalHosts {
  /** The places of fetches; read by tests. */
  readonly places: FetchPlaces

  constructor(
    private readonly mayConnect: AddressPolicy,
    private readonly resolve: ResolveHost,
    limits: PlaceLimits,
  ) {
    this.places = new FetchPlaces(limits)
  }

  /**
   * Begins a GET. The fetch keeps its place until the connection is closed: the body has arrived or is destroyed.
   * @throws {ExternalFailure}; {OtherHost}; {BusyHost} if the signal ends it while it waits for a place
   */
  async get(address: string, fetch: Fetch): Promise<ExternalAnswer> {
    let url = urlOf(address)
    for (let hop = 0; hop <= budgets.externalRedirects.most; hop++) {
      if (fetch.mayAsk?.(url) === false) throw new OtherHost(url.hostname)
      const body = await this.ask(url, fetch)
      const { statusCode: status = 0, headers: answered } = body
      if (!redirects.has(status) || answered.location === undefined) {
        return { url, status, type: bareType(answered['content-type']), body }
      }
      body.destroy()
      url = urlOf(answered.location, url.href)
    }
    throw new ExternalFailure('too many redirects')
  }

  /** Sends a body; a redirect is an answer. @throws as `get` */
  async post(address: string, fetch: Fetch & { readonly body: string }): Promise<ExternalAnswer> {
    const url = urlOf(address)
    const body = await this.ask(url, fetch)
    return { url, status: body.statusCode ?? 0, type: bareType(body.headers['content-type']), body }
  }

  private async ask(url: URL, fetch: Fetch): Promise<IncomingMessage> {
    const { owner, signal } = fetch
    const addresses = await unlessEnded(signal, this.checkedAddresses(url.hostname.replace(/^\[|\]$/g, '')))
    return new Promise((resolve, reject) => {
      const ask = async () => {
        const asked = requestTo(addresses, url, fetch)
        asked.once('response', resolve)
        // Stays after the answer: the same error is then one of the body.
        asked.on('error', error => reject(new ExternalFailure(error.message)))
        asked.end(fetch.body)
        await new Promise<void>(closed => asked.once('close', closed))
        reject(new ExternalFailure('the connection was closed'))
      }
      this.places.run(owner, hostOf(addresses), signal, ask).catch(reject)
    })
  }

  /** All of them have to be allowed: a name with a private address is none of a public host. */
  private async checkedAddresses(host: string): Promise<LookupAddress[]> {
    const addresses = await this.resolve(host)
    if (addresses.length === 0) throw new ExternalFailure('the host is not known')
    if (!addresses.every(this.mayConnect)) throw new ExternalFailure('the host has an address that is not public')
    return addresses.map(address => ({ address, family: isIP(address) }))
  }
}

/** The network of the address that is tried first: a domain can have any number of names, and a network any number of addresses, for one host. */
const hostOf = ([first]: readonly LookupAddress[]): string => networkOf(plainAddress(first?.address ?? '') ?? '')

/** The value, unless the fetch ends before it is there: a name server may take seconds. */
function unlessEnded<T>(signal: AbortSignal, value: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new ExternalFailure('it was ended while its name was resolved'))
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

function requestTo(addresses: LookupAddress[], url: URL, { headers, body, signal }: Fetch): ClientRequest {
  const lookup: LookupFunction = (_, options, callback) => {
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp
  // Without an agent there is no connection that an earlier check allowed. A compressed body could be larger than it seems.
  return ask(url, {
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'user-agent': userAgent, ...headers, 'accept-encoding': 'identity' },
    lookup,
    maxHeaderSize,
    signal,
  })
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
