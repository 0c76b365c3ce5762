import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { OpenIdConnectSettings } from '../../../config/sign-in-settings.js'
import { type Beginning, type Identity, ProviderFailure, type RedirectingProvider } from '../provider.js'
import { identityOf } from './claims.js'
import { Discovery } from './discovery.js'
import { keysOf, readLogoutToken } from './logout-token.js'

/** Sign-in by the authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export class OpenIdConnect implements RedirectingProvider {
  readonly method = 'OpenID Connect'
  readonly id: string
  readonly name: string
  readonly displayName: string
  readonly autoSignup: boolean
  readonly logoutEndsKeys: boolean
  private readonly discovery: Discovery
  private keys: { readonly of: Configuration; readonly set: ReturnType<typeof keysOf> } | undefined

  /** `redirectUri`: the address of this server that the provider knows. */
  constructor(
    private readonly settings: OpenIdConnectSettings,
    private readonly redirectUri: string,
  ) {
    this.id = settings.id
    this.name = `oidc:${settings.id}`
    this.displayName = settings.name
    this.autoSignup = settings.auto_signup
    this.logoutEndsKeys = settings.logout_ends_keys
    this.discovery = new Discovery(settings)
  }

  get mapping() {
    return this.settings
  }

  async begin(): Promise<Beginning> {
    const configuration = await this.configuration()
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
    const { href: url } = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url, state, nonce, verifier }
  }

  async finish(query: string, { state, nonce, verifier }: Omit<Beginning, 'url'>): Promise<Identity> {
    const configuration = await this.configuration()
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(`${this.redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const claims = tokens.claims()
      if (!claims) throw new ProviderFailure('refused', 'the provider sent no ID token')
      const more = this.lacks(claims) ? await this.userInfo(configuration, tokens.access_token, claims.sub) : {}
      const identity = identityOf({ ...more, ...claims }, this.reading)
      if (identity.subject === '') throw new ProviderFailure('refused', 'the provider names no subject')
      return identity
    } catch (error) {
      const failure = failureOf(error)
      // The library asks for keys that it does not know only when those that it has are a minute old: the next attempt must succeed.
      if (failure.kind === 'refused') this.discovery.forget()
      throw failure
    }
  }

  async readLogout(token: string, now: Date) {
    const configuration = await this.configuration()
    try {
      if (this.keys?.of !== configuration) this.keys = { of: configuration, set: keysOf(configuration) }
      return await readLogoutToken(configuration, this.keys.set, { token, currentDate: now })
    } catch (error) {
      throw failureOf(error)
    }
  }

  private get reading() {
    const { email_is_verified: emailIsVerified, groups_claim: groupsClaim } = this.settings
    return { provider: this.name, emailIsVerified, groupsClaim }
  }

  private get mapsGroups(): boolean {
    const { groups, roles } = this.settings
    return Object.keys(groups).length + Object.keys(roles).length > 0
  }

  private lacks(claims: Readonly<Record<string, unknown>>): boolean {
    const hasName = claims.name !== undefined || claims.given_name !== undefined
    return (
      claims.email === undefined || !hasName || (this.mapsGroups && claims[this.settings.groups_claim] === undefined)
    )
  }

  private async userInfo(configuration: Configuration, accessToken: string, subject: string) {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
    return fetchUserInfo(configuration, accessToken, subject)
  }

  private async configuration(): Promise<Configuration> {
    try {
      return await this.discovery.get()
    } catch (error) {
      throw new ProviderFailure('away', failureOf(error).message)
    }
  }
}

// Names and codes of errors of the network; every other error says that what the provider or the browser brought is not accepted.
const unreachable = /TIMEOUT|ABORT|ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH|UND_ERR/

/** Every error of a provider, of the library and of the network as one of two kinds. */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const texts: string[] = []
  for (let one = error; one instanceof Error && texts.length < 5; one = one.cause) {
    texts.push(`${one.name} ${(one as { code?: string }).code ?? ''} ${one.message}`)
  }
  const message = texts.join(': ').slice(0, 500)
  return new ProviderFailure(unreachable.test(message.toUpperCase()) ? 'away' : 'refused', message)
}
