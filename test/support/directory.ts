import { randomBytes } from 'node:crypto'
import { insertScimToken } from '../../server/store/accounts/scim-tokens.js'
import type { Sql } from '../../server/store/driver/db.js'
import type { Loose } from './in-step.js'

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Loose
}

/** A directory that calls a server by SCIM with a token of its own. */
export class ScimDirectory {
  private constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  static async start(
    { url, sql }: { readonly url: string; readonly sql: Sql },
    may_change_owners = false,
  ): Promise<ScimDirectory> {
    const token = randomBytes(32).toString('base64url')
    await insertScimToken(sql, token, { name: randomBytes(4).toString('hex'), may_change_owners })
    return new ScimDirectory(url, token)
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    const response = await fetch(`${this.url}/scim/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/scim+json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Lists with a filter. */
  find(kind: 'Users' | 'Groups', filter: string, more = ''): Promise<ScimAnswer> {
    return this.call('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`)
  }

  /** Sends operations as Entra ID or Okta writes them. */
  patch(path: string, ...Operations: readonly unknown[]): Promise<ScimAnswer> {
    return this.call('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
  }
}
