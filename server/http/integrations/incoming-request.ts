import { ApiError, badRequest } from '../../../shared/errors.js'
import type { ApiKeys } from '../../auth/api-key.js'
import type { Delivery } from '../../integrations/index.js'
import type { UserRow } from '../../store/users/users.js'
import { parseJson } from '../../text/bounded-json.js'
import { BodyRequest } from '../body-request.js'

/** A native request of a service. `receive` comes before everything that reads the body. */
export class IncomingRequest extends BodyRequest implements Delivery {
  /** Of the query, and of a form in the body; the query wins. */
  readonly params = new Map<string, string>()
  private body: Buffer = Buffer.alloc(0)

  /** @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  async receive(): Promise<void> {
    this.body = await this.received
    if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(this.contentType))
      for (const [name, value] of new URLSearchParams(this.body.toString('utf8'))) this.params.set(name, value)
    for (const [name, value] of this.query) this.params.set(name, value)
  }

  /** @throws {ApiError} REQUEST_VARIABLE_MISSING, INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED, RATE_LIMIT_HIT */
  override identify(keys: ApiKeys): Promise<UserRow> {
    const key = this.params.get('api_key')
    if (key === undefined)
      throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'api_key' argument", { var_name: 'api_key' })
    return keys.ofKey(key, this.charges)
  }

  get isJson(): boolean {
    return /^application\/json\s*(?:;|$)/i.test(this.contentType)
  }

  json(): unknown {
    try {
      return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(this.body))
    } catch {
      throw badRequest('The body is not JSON.')
    }
  }
}
