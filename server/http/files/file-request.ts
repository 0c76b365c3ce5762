import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { ApiKeys } from '../../auth/api-key.js'
import { CallerCharges } from '../../limits/caller-charges.js'
import type { UserRow } from '../../store/users/users.js'
import type { Applicant } from '../admission.js'
import type { Connections } from '../connections.js'

/** What is read of a native request for a file before it is freed. */
export class FileRequest implements Applicant {
  readonly method: string
  /** Percent-decoded; undefined: malformed. */
  readonly path: string | undefined
  readonly authorization: string
  readonly query: URLSearchParams
  readonly cookie: string
  readonly accept: string
  readonly range: string
  readonly ifRange: string
  readonly ifNoneMatch: string
  readonly origin: string
  readonly host: string
  /** Where a browser says that the request comes from. */
  readonly site: string
  readonly address: string
  readonly charges: CallerCharges
  isGone = false
  onGone: (() => void) | undefined

  constructor(
    { addresses, limits }: Connections,
    readonly res: HttpResponse,
    req: HttpRequest,
  ) {
    this.method = req.getCaseSensitiveMethod()
    this.path = decoded(req.getUrl())
    this.authorization = req.getHeader('authorization')
    this.query = new URLSearchParams(req.getQuery() ?? '')
    this.cookie = req.getHeader('cookie')
    this.accept = req.getHeader('accept')
    this.range = req.getHeader('range')
    this.ifRange = req.getHeader('if-range')
    this.ifNoneMatch = req.getHeader('if-none-match')
    this.origin = req.getHeader('origin')
    this.host = req.getHeader('host')
    this.site = req.getHeader('sec-fetch-site')
    this.charges = new CallerCharges(limits, this)
    this.address = addresses.of(res, addresses.isForwarded(res) ? req.getHeader('x-forwarded-for') : '')
    res.onAborted(() => {
      this.isGone = true
      this.onGone?.()
    })
  }

  /** Only the header names an account, because no other page can send it. */
  identify(keys: ApiKeys): UserRow | null | Promise<UserRow> {
    return this.byHeader(keys)
  }

  protected byHeader(keys: ApiKeys): UserRow | null | Promise<UserRow> {
    return this.authorization === '' ? null : keys.fromHeader(this.authorization, this.charges)
  }

  charge(user: UserRow | null): void {
    this.charges.charge(user?.id)
  }

  get apiKey(): string {
    return this.query.get('api_key') ?? ''
  }

  /** Aborts when the client leaves; replaces `onGone`. */
  goneSignal(): AbortSignal {
    const leaving = new AbortController()
    this.onGone = () => leaving.abort()
    if (this.isGone) leaving.abort()
    return leaving.signal
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  /** The value of a cookie. */
  cookieNamed(name: string): string | undefined {
    for (const one of this.cookie.split(';')) {
      const [key, value] = one.trim().split('=', 2)
      if (key === name) return value
    }
    return undefined
  }
}

export function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url)
  } catch {
    return undefined
  }
}
