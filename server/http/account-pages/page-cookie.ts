import { readSigned, sign } from '../../auth/signed-text.js'
import { isHttps } from '../../config/addresses.js'
import type { WorkerCtx } from '../../ctx.js'
import type { PageRequest } from './page-request.js'

/** A cookie in which a browser keeps what it has begun, signed by the server. */
export interface PageCookie {
  readonly name: string
  /** Separates its signature from those of other uses. */
  readonly purpose: string
  readonly seconds: number
}

// A name with this prefix cannot be set by a neighbouring host.
const nameOf = (ctx: WorkerCtx, { name }: PageCookie): string => `${isHttps(ctx) ? '__Host-' : ''}${name}`

/** Lax, because providers and mails lead back from another site. */
const written = (ctx: WorkerCtx, cookie: PageCookie, value: string, seconds: number): string =>
  `${nameOf(ctx, cookie)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps(ctx) ? '; Secure' : ''}`

/** The value of Set-Cookie. It replaces an earlier cookie of the name. */
export const setPageCookie = (ctx: WorkerCtx, cookie: PageCookie, values: readonly (string | number)[]): string =>
  written(ctx, cookie, sign(ctx.directory.organization.secret, cookie.purpose, values), cookie.seconds)

export const endPageCookie = (ctx: WorkerCtx, cookie: PageCookie): string => written(ctx, cookie, '', 0)

/** The values of the browser's cookie; undefined: it has none that this server made. */
export const readPageCookie = (ctx: WorkerCtx, request: PageRequest, cookie: PageCookie): unknown[] | undefined =>
  readSigned(ctx.directory.organization.secret, cookie.purpose, request.cookieNamed(nameOf(ctx, cookie)) ?? '')
