import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import type { Teardown } from '../services.js'
import { publicUrl } from './browser.js'

/** A person at the provider, by the claims that it sends. */
export interface Employee {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: readonly string[]
}

const clientId = 'chat'
const clientSecret = 'a secret of the client'

/** A real provider by OpenID Connect (oidc-provider) that signs in the person whom the test chooses, without asking. */
export class Company {
  /** By subject. */
  readonly people = new Map<string, Employee>()
  /** The subject that signs in next. */
  present = ''
  /** The actual address of the server that it calls `publicUrl`. */
  serverUrl = ''

  private constructor(
    readonly issuer: string,
    private readonly make: { readonly id: string; provider?: Provider },
    private readonly publicUrl: string,
  ) {}

  /** `id`: the provider's id in the server's settings; `chatUrl`: the server's `PUBLIC_URL`. */
  static async start(t: Teardown, id = 'company', chatUrl = publicUrl): Promise<Company> {
    const server = createServer((request, response) => void company.answer(request, response))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const company = new Company(issuer, { id }, chatUrl)
    await company.changeKeys('first')
    return company
  }

  /** Signs with another key from now on, and forgets the former one. */
  async changeKeys(kid: string): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const keys = [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid }]
    this.make.provider = new Provider(this.issuer, this.configuration(this.make.id, keys))
  }

  /** What OIDC_PROVIDERS says of it. */
  settings(more: Record<string, unknown> = {}) {
    const client = { client_id: clientId, client_secret: clientSecret }
    const scopes = ['openid', 'email', 'profile', 'groups']
    return { id: 'company', name: 'Company', issuer: this.issuer, ...client, scopes, ...more }
  }

  /** Ends the sessions of a person at all clients, by the back channel. */
  async logOut(subject: string): Promise<void> {
    const client = await this.provider.Client.find(clientId)
    await client.backchannelLogout(subject, 'no session')
  }

  private get provider(): Provider {
    if (!this.make.provider) throw new Error('the provider is not ready')
    return this.make.provider
  }

  private async answer(
    request: Parameters<Provider['interactionDetails']>[0],
    response: Parameters<Provider['interactionDetails']>[1],
  ): Promise<void> {
    if (!request.url?.startsWith('/person/')) {
      this.provider.callback()(request, response)
      return
    }
    await this.provider.interactionDetails(request, response)
    const result = this.present === '' ? { error: 'access_denied' } : { login: { accountId: this.present } }
    await this.provider.interactionFinished(request, response, result)
  }

  private configuration(id: string, keys: readonly unknown[]): Record<string, unknown> {
    return {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${this.publicUrl}/complete/oidc/${id}`],
          backchannel_logout_uri: `${this.publicUrl}/accounts/oidc/${id}/logout`,
        },
      ],
      jwks: { keys },
      cookies: { keys: ['a key of cookies'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/person/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.people.get(accountId) }),
      }),
      loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
        const { client, session } = ctx.oidc
        const grant = new this.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
      // Without its agent, which connects to no address of this machine.
      fetch: (url: string, { method, headers, body }: RequestInit) =>
        fetch(String(url).replace(this.publicUrl, this.serverUrl), { method, headers, body }),
    }
  }
}
