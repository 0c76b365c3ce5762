import type { Header } from './answer.js'

// Response headers that pages of other origins may read; without this list a browser exposes only a few.
const exposed = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'
const none: readonly Header[] = []

/** CORS headers: pages of the configured origins may read answers; there is no wildcard. */
export class Cors {
  private readonly allowed: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.allowed = new Set(origins.map(origin => origin.toLowerCase()))
  }

  allows(origin: string): boolean {
    return this.allowed.has(origin.toLowerCase())
  }

  /** Whether a page of this origin, which is none or that of the server itself, may open sockets and read files. `host`: of the request. */
  mayConnect(origin: string, host: string): boolean {
    return origin === '' || this.allows(origin) || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase())
  }

  /** `more`: further headers that pages may read. */
  headers(origin: string, more = ''): readonly Header[] {
    if (origin === '' || !this.allows(origin)) return none
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Vary', 'Origin'],
      ['Access-Control-Expose-Headers', exposed + more],
    ]
  }

  /** Headers of the answer to a preflight request, which browsers send before a request with Authorization. `more`: further headers that pages may send. */
  preflight(origin: string, allowed: readonly string[], more = ''): readonly Header[] {
    if (origin === '' || !this.allows(origin)) return none
    return [
      ...this.headers(origin),
      ['Access-Control-Allow-Methods', allowed.join(', ')],
      ['Access-Control-Allow-Headers', `Authorization, Content-Type${more}`],
      // Seconds. The list of origins changes only at a restart, so browsers may cache the answer.
      ['Access-Control-Max-Age', '600'],
    ]
  }
}
