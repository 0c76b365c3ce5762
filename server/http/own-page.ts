import { ApiError } from '../../shared/errors.js'

/** What a browser says about the page that makes a request. */
export interface RequestSource {
  /** The headers Origin, Host and Sec-Fetch-Site; empty: absent. */
  readonly origin: string
  readonly host: string
  readonly site: string
}

/**
 * Whether a page of this server made the request. Browsers that know Sec-Fetch-Site are trusted in it, others send an Origin with each
 * request that may change something. A request with neither comes from no page.
 */
export function isFromOwnPage({ origin, host, site }: RequestSource, isHttps: boolean): boolean {
  // A page whose policy hides where its requests come from has the origin `null`; Sec-Fetch-Site tells its site all the same.
  if (origin === '' || origin === 'null') return site === 'same-origin'
  if (site !== '' && site !== 'same-origin') return false
  if (!URL.canParse(origin)) return false
  const { protocol, host: named } = new URL(origin)
  return named === host.toLowerCase() && (!isHttps || protocol === 'https:')
}

/** @throws {ApiError} CSRF_FAILED unless a page of this server made the request. */
export function requireOwnPage(source: RequestSource, isHttps: boolean): void {
  if (!isFromOwnPage(source, isHttps)) throw csrfFailed()
}

export const csrfFailed = () => new ApiError('CSRF_FAILED', 'The request does not come from a page of this server.')
