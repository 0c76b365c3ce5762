import { isMethodOn } from '../../shared/resources/sign-in-methods.js'
import type { Ctx } from '../ctx.js'
import { signInMethods } from '../policies/sign-in.js'

/** A way to sign in on a page, as clients show it. */
export interface ExternalMethod {
  /** Stable id, for example `oidc:work` or `browser`. */
  readonly name: string
  /** The text of the button. */
  readonly display_name: string
  /** The address of a picture, or null. */
  readonly display_icon: string | null
  /** Paths on this server; a client may replace the query. */
  readonly login_url: string
  readonly signup_url: string
}

/** The identity providers that the server is configured for and the organization allows, the most important one first. */
export function externalMethods({ config, directory }: Pick<Ctx, 'config' | 'directory'>): readonly ExternalMethod[] {
  const { oidcProviders, signInMethods: configured } = config
  if (!isMethodOn(signInMethods(directory, configured), 'OpenID Connect')) return []
  // With one provider the paths name none.
  const at = (id: string) => (oidcProviders.length > 1 ? `oidc/${id}` : 'oidc')
  return oidcProviders.map(({ id, name, icon }) => ({
    name: `oidc:${id}`,
    display_name: name,
    display_icon: icon,
    login_url: `/accounts/login/social/${at(id)}`,
    signup_url: `/accounts/register/social/${at(id)}`,
  }))
}

/** The page of this server for signing in: for accounts of which no program gets the key by a password. */
export const browserMethod: ExternalMethod = {
  name: 'browser',
  display_name: 'Browser',
  display_icon: null,
  login_url: '/login/',
  signup_url: '/register/',
}
