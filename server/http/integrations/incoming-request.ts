import { badRequest } from '../../../shared/errors.js'
import type { Delivery } from '../../integrations/index.js'
import { parseJson } from '../../text/bounded-json.js'
import { BodyRequest } from '../files/body-request.js'

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
