import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressPolicy } from '../external/address-policy.js'
import { isPushEndpoint } from '../external/push-endpoint.js'
import type { ResolveHost } from '../external/resolve-host.js'
import { retryAfterMs } from '../external/retry-after.js'
import { encryptPush, type ReceiverKeys } from './encrypt.js'
import { HostPlaces } from './places.js'
import { authorization, type ServerKey } from './server-key.js'

/** A receiver of pushes. */
export interface Receiver extends ReceiverKeys {
  readonly endpoint: string
}

export interface Push {
  readonly text: Uint8Array
  /** Pushes of a conversation replace each other at the push service while the receiver is away; at most 32 characters of base64url. */
  readonly topic?: string
  /** How long the push service keeps it, in seconds. */
  readonly ttl: number
  readonly urgency: 'normal' | 'high'
}

/**
 * What became of a push. `gone`: the receiver exists no more. `large`: the push service takes only shorter texts. `refused`: another attempt
 * would be refused, too. `later`: it may be tried again, after `inMs` if the push service says so. `isSlow`: the request took long.
 */
export type Outcome = (
  | { readonly is: 'sent' | 'gone' | 'large' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'later'; readonly why: string; readonly inMs?: number }
) & { readonly isSlow?: boolean }

interface Options {
  readonly key: ServerKey
  /** A mailto or https address of the operator, for push services. */
  readonly subject: string
  readonly privateOrigins: readonly string[]
  readonly mayConnect: AddressPolicy
  readonly resolve: ResolveHost
  /** PEM of a further authority whose certificates are trusted; for tests. */
  readonly ca?: string
  readonly timeoutMs?: number
}

// A push service answers in some tenths of a second.
const usualTimeoutMs = 5_000
const slowMs = 1_000
const perHost = 64

type Headers = Readonly<Record<string, string | number>>

/**
 * Sends encrypted pushes to push services (RFC 8030), over connections that stay open. Each connection goes to an address that was resolved
 * once and checked, and no redirect is followed, so no endpoint leads into the server's own network.
 */
export class PushSender {
  private readonly places = new HostPlaces(perHost)
  private readonly signatures = new Map<string, Promise<{ header: string; renewAtMs: number }>>()
  private readonly http: HttpAgent
  private readonly https: HttpsAgent

  constructor(private readonly options: Options) {
    const kept = {
      keepAlive: true,
      maxSockets: perHost,
      maxFreeSockets: 16,
      scheduling: 'lifo',
      timeout: 60_000,
    } as const
    this.http = new HttpAgent(kept)
    this.https = new HttpsAgent({ ...kept, ...(options.ca === undefined ? {} : { ca: options.ca }) })
  }

  /** Ends the open connections. */
  close(): void {
    this.http.destroy()
    this.https.destroy()
  }

  /** Does not reject for what the receiver or its push service does. */
  async send(receiver: Receiver, push: Push, nowMs: number, signal?: AbortSignal): Promise<Outcome> {
    const { privateOrigins, mayConnect } = this.options
    if (!isPushEndpoint(receiver.endpoint, privateOrigins)) return { is: 'refused', why: 'the endpoint is not allowed' }
    const url = new URL(receiver.endpoint)
    const address = url.hostname.replace(/^\[|\]$/g, '')
    // A connection to an address resolves nothing, so `lookup` does not see it.
    if (isIP(address) !== 0 && !this.isPrivate(url) && !mayConnect(address)) {
      return { is: 'refused', why: 'the address is not public' }
    }
    let body: Buffer
    try {
      body = encryptPush(push.text, receiver)
    } catch (error) {
      // That is not the fault of the host, which must not rest.
      return { is: 'refused', why: whyOf(error) }
    }
    if (!(await this.places.enter(url.host))) return { is: 'later', why: 'the push service did not answer before' }
    let hasAnswered = false
    const begin = performance.now()
    const isSlow = () => performance.now() - begin > slowMs
    try {
      const headers = await this.headersOf(url, push, nowMs)
      const answer = await this.post(url, headers, body, signal)
      hasAnswered = true
      return { ...outcomeOf(answer, nowMs), isSlow: isSlow() }
    } catch (error) {
      return { is: 'later', why: whyOf(error), isSlow: isSlow() }
    } finally {
      this.places.leave(url.host, hasAnswered)
    }
  }

  private isPrivate = ({ origin }: URL): boolean => this.options.privateOrigins.includes(origin)

  private async headersOf({ origin }: URL, { topic, ttl, urgency }: Push, nowMs: number): Promise<Headers> {
    return {
      authorization: await this.signature(origin, nowMs),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl,
      urgency,
      ...(topic === undefined ? {} : { topic }),
    }
  }

  private post(url: URL, headers: Headers, body: Buffer, signal?: AbortSignal): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const asked = (isSecure ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: isSecure ? this.https : this.http,
        headers: { ...headers, 'content-length': body.length },
        lookup: this.lookupOf(url),
        maxHeaderSize: 16_384,
        ...(signal ? { signal } : {}),
      })
      const { timeoutMs = usualTimeoutMs } = this.options
      // Of the whole request: a host that sends a byte now and then does not answer either.
      const timer = setTimeout(() => asked.destroy(new Error('no answer in time')), timeoutMs)
      let answered: IncomingMessage | undefined
      asked.once('response', answer => {
        answered = answer
        drop(answer)
      })
      asked.on('error', reject)
      asked.once('close', () => {
        clearTimeout(timer)
        if (answered) resolve(answered)
        else reject(new Error('the connection was closed'))
      })
      asked.end(body)
    })
  }

  /** All addresses of the name have to be allowed: a name with a private address is none of a public host. */
  private lookupOf(url: URL): LookupFunction {
    const { resolve, mayConnect } = this.options
    return (host, { all }, callback) => {
      resolve(host).then(
        found => {
          if (found.length === 0) return callback(new Error('the host is not known'), '')
          if (!this.isPrivate(url) && !found.every(mayConnect))
            return callback(new Error('the address is not public'), '')
          const addresses = found.map(address => ({ address, family: isIP(address) }))
          const [first] = addresses
          if (all || !first) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        error => callback(error, ''),
      )
    }
  }

  private async signature(origin: string, nowMs: number): Promise<string> {
    const known = await this.signatures.get(origin)
    if (known && known.renewAtMs > nowMs) return known.header
    if (this.signatures.size > mostSignatures) this.signatures.clear()
    const { key, subject } = this.options
    const made = authorization(key, origin, subject, nowMs)
    this.signatures.set(origin, made)
    return (await made).header
  }
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const mostSignatures = 1_000
const mostAnswerBytes = 65_536

/** Reads the body away, so that the connection can be used again; a long one ends it. */
function drop(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('error', () => {})
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostAnswerBytes) answer.destroy()
  })
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, nowMs: number): Outcome {
  if (status >= 200 && status < 300) return { is: 'sent' }
  if (status === 404 || status === 410) return { is: 'gone' }
  if (status === 413) return { is: 'large' }
  const why = `status ${status}`
  if (status !== 429 && status < 500) return { is: 'refused', why }
  const inMs = retryAfterMs(headers['retry-after'], nowMs)
  return { is: 'later', why, ...(inMs === undefined ? {} : { inMs }) }
}
