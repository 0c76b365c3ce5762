import type { Config } from '../../config.js'
import { Ldap } from './ldap/ldap.js'
import { OpenIdConnect } from './oidc/open-id-connect.js'
import type { RedirectingProvider } from './provider.js'

/** The providers with a page of their own, in the order in which clients show them. A worker builds them once. */
export const redirectingProviders = (config: Config, publicUrl: string): readonly RedirectingProvider[] =>
  config.oidcProviders.map(settings => new OpenIdConnect(settings, `${publicUrl}/complete/oidc/${settings.id}`))

/** The directory that checks names and passwords; undefined: there is none. It keeps nothing from one sign-in to the next. */
export const ldapOf = ({ ldap }: Config): Ldap | undefined => ldap && new Ldap(ldap)
