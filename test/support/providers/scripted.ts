import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { Teardown } from '../services.js'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** What a provider says where a test changes it. */
export interface Script {
  /** Changes the claims of the ID token, which are honest otherwise. */
  claims?: (honest: JWTPayload) => JWTPayload
  /** Answers in place of the endpoint. */
  endpoints?: Record<string, (response: ServerResponse) => void>
  /** Changes what the provider says of itself. */
  metadata?: Record<string, unknown>
  /** Signs the ID token. */
  sign?: (claims: JWTPayload, own: Keys) => Promise<string>
}

/** A provider by OpenID Connect that says what a test wants it to say. */
export class ScriptedProvider {
  script: Script = {}
  private readonly nonces = new Map<string, string>()

  private constructor(
    readonly issuer: string,
    readonly keys: Keys,
    readonly stop: () => Promise<void>,
  ) {}

  /** `port`: 0: any. */
  static async start(t: Teardown, port = 0): Promise<ScriptedProvider> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => void provider.answer(String(request.url), Buffer.concat(chunks).toString(), response))
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    const stop = () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
    t.teardown(stop)
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new ScriptedProvider(issuer, await generateKeyPair('RS256', { extractable: true }), stop)
    return provider
  }

  settings(more: Record<string, unknown> = {}) {
    return { id: 'company', name: 'Company', issuer: this.issuer, client_id: 'chat', client_secret: 'secret', ...more }
  }

  /** The address to which the provider sends the browser back from the page at `url`, to which the server sent it. */
  back(url: string, more: Record<string, string> = {}): string {
    const { searchParams } = new URL(url)
    const code = `code ${this.nonces.size}`
    this.nonces.set(code, searchParams.get('nonce') ?? '')
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.issuer, ...more })
    return `${searchParams.get('redirect_uri')}?${query}`
  }

  /** A token that the provider signs. */
  signed(claims: JWTPayload, keys = this.keys): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(keys.privateKey)
  }

  private async answer(path: string, body: string, response: ServerResponse): Promise<void> {
    const scripted = this.script.endpoints?.[path]
    if (scripted) {
      scripted(response)
      return
    }
    const answer = path === '/token' ? await this.token(body) : await this.others(path)
    response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }

  private async others(path: string): Promise<unknown> {
    const { issuer } = this
    if (path === '/keys') return { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'first', alg: 'RS256' }] }
    if (path === '/user') return { sub: 'someone', email: 'late@test.example', email_verified: true }
    if (path !== '/.well-known/openid-configuration') return undefined
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      authorization_response_iss_parameter_supported: true,
      ...this.script.metadata,
    }
  }

  private async token(body: string): Promise<unknown> {
    const nonce = this.nonces.get(new URLSearchParams(body).get('code') ?? '')
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: this.issuer, aud: 'chat', sub: 'someone', iat: now, exp: now + 60, nonce }
    const claims = this.script.claims?.({ ...honest }) ?? honest
    const id_token = await (this.script.sign?.(claims, this.keys) ?? this.signed(claims))
    return { access_token: 'an access token', token_type: 'Bearer', id_token }
  }
}
