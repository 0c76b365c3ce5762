import type { Ctx } from '../ctx.js'

/** A way to sign in at another service, as clients and the sign-in page show it. */
export interface ExternalMethod {
  /** Stable id, for example `oidc:work`. */
  readonly name: string
  /** The text of the button. */
  readonly display_name: string
  /** The address of a picture, or null. */
  readonly display_icon: string | null
  /** Paths on this server; a client may replace the query. */
  readonly login_url: string
  readonly signup_url: string
}

/** The methods that the server is configured for and the organization allows, the most important one first. */
export const externalMethods = (_: Pick<Ctx, 'config' | 'directory'>): readonly ExternalMethod[] => []
