import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../../shared/errors.js'
import type { ApiKeys } from '../../auth/api-key.js'
import { type Delivery, type Integration, integrations } from '../../integrations/index.js'
import type { UserRow } from '../../store/users/users.js'
import { parseJson } from '../../text/bounded-json.js'
import { BodyRequest } from '../body-request.js'
import type { Connections } from '../connections.js'

export const folder = '/api/v1/external/'

/** A native request of a service. `receive` comes before everything that reads the body. */
export class IncomingRequest extends BodyRequest implements Delivery {
  /** Undefined: there is none of this name. */
  readonly integration: Integration | undefined
  /** Of the query, and of a form in the body; the query wins. */
  readonly params = new Map<string, string>()
  body: Uint8Array = new Uint8Array()
  private readonly headers = new Map<string, string>()
  private value: { readonly of: unknown } | undefined

  constructor(connections: Connections, res: HttpResponse, req: HttpRequest) {
    super(connections, res, req)
    this.integration = integrations.get((this.path ?? '').slice(folder.length))
    req.forEach((name, value) => {
      this.headers.set(name, value)
    })
  }

  /** @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  async receive(): Promise<void> {
    const body = await this.received
    this.body = body
    if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(this.contentType))
      for (const [name, value] of new URLSearchParams(body.toString('utf8'))) this.params.set(name, value)
    for (const [name, value] of this.query) this.params.set(name, value)
  }

  /** @throws {ApiError} REQUEST_VARIABLE_MISSING, INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED, RATE_LIMIT_HIT */
  override identify(keys: ApiKeys): Promise<UserRow> {
    const { params, integration } = this
    const [key, bot] = [params.get('api_key'), params.get('bot')]
    if (key !== undefined) return keys.ofKey(key, this.charges)
    if (bot !== undefined && integration?.isSigned)
      return keys.ofSignature(Number(bot), its => integration.isSigned?.(this, its) === true, this.charges)
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'api_key' argument", { var_name: 'api_key' })
  }

  get isJson(): boolean {
    return /^application\/json\s*(?:;|$)/i.test(this.contentType)
  }

  header(name: string): string {
    return this.headers.get(name) ?? ''
  }

  json(): unknown {
    try {
      this.value ??= { of: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(this.body)) }
      return this.value.of
    } catch {
      throw badRequest('The body is not JSON.')
    }
  }
}
