import { ApiError } from '../../../shared/errors.js'
import { BodyRequest } from '../body-request.js'

/** A native request of a directory. */
export class ScimRequest extends BodyRequest {
  /** The text of the body. @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE */
  async text(): Promise<string> {
    const body = await this.received
    if (body.length > 0 && !/^application\/(?:scim\+)?json\s*(?:;|$)/i.test(this.contentType)) {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A body is application/scim+json.')
    }
    return body.toString('utf8')
  }

  /** The token of the header Authorization; undefined: there is none. */
  get bearer(): string | undefined {
    return /^bearer +([\w-]{20,100})$/i.exec(this.authorization)?.[1]
  }
}
