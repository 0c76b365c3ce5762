import type { Header } from './reply.js'

// Pages read these; of the others a browser shows them only a few.
const exposed = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'
const none: readonly Header[] = []

/** What lets a page of another origin read answers: only for the origins of the configured list, and never for all. */
export class Cors {
  private readonly allowed: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.allowed = new Set(origins.map(origin => origin.toLowerCase()))
  }

  allows(origin: string): boolean {
    return this.allowed.has(origin.toLowerCase())
  }

  headers(origin: string): readonly Header[] {
    if (origin === '' || !this.allows(origin)) return none
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Vary', 'Origin'],
      ['Access-Control-Expose-Headers', exposed],
    ]
  }

  /** For the question a browser asks before a request that carries Authorization. */
  preflight(origin: string, allowed: readonly string[]): readonly Header[] {
    if (origin === '' || !this.allows(origin)) return none
    return [
      ...this.headers(origin),
      ['Access-Control-Allow-Methods', allowed.join(', ')],
      ['Access-Control-Allow-Headers', 'Authorization, Content-Type'],
      // 10 minutes: the list changes with a restart only, and one more question then costs nothing.
      ['Access-Control-Max-Age', '600'],
    ]
  }
}
