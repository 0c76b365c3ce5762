import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Connections } from '../connections.js'
import { FileRequest } from '../files/file-request.js'
import { receiveBody } from '../receive-body.js'
import { isDirect } from '../request-head.js'

/** What is read of a native request for an account page before it is freed. Receives the body of a POST. */
export class PageRequest extends FileRequest {
  readonly acceptLanguage: string
  readonly userAgent: string
  /** See RequestHead. */
  readonly isLocal: boolean
  /** The rest of the body would be read as the next request. */
  closes = false
  private readonly contentType: string
  private readonly received: Promise<Buffer>

  constructor(connections: Connections, res: HttpResponse, req: HttpRequest) {
    super(connections, res, req)
    this.acceptLanguage = req.getHeader('accept-language')
    this.userAgent = req.getHeader('user-agent')
    this.isLocal = isDirect(req)
    this.contentType = req.getHeader('content-type')
    const declared = Number(req.getHeader('content-length'))
    this.received =
      this.method === 'POST' && declared > 0
        ? this.receive(declared, connections.ctx.config.bodySeconds)
        : Promise.resolve(Buffer.alloc(0))
  }

  private receive(declared: number, seconds: number): Promise<Buffer> {
    const received = receiveBody(this, { declared, maxBytes: budgets.pageFormBytes.most, seconds })
    received.catch(() => {
      this.closes = true
    })
    return received
  }

  /** Resolves when the body has arrived. @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  async arrived(): Promise<void> {
    await this.received
  }

  /** The fields of the form. @throws {ApiError} BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE */
  async form(): Promise<URLSearchParams> {
    const body = await this.received
    if (body.length > 0 && !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(this.contentType)) {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This page takes forms, as application/x-www-form-urlencoded.')
    }
    const fields = new URLSearchParams(body.toString('utf8'))
    if (fields.size > budgets.formPairs.most) throw badRequest('The form has too many fields.')
    return fields
  }
}
