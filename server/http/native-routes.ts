import type { HttpResponse, HttpRequest as NativeRequest, TemplatedApp, WebSocketBehavior } from 'uWebSockets.js'
import { badRequest } from '../../shared/errors.js'
import type { Connections } from './connections.js'
import { HttpRequest } from './http-request.js'
import { hasPlainFraming } from './request-head.js'

type Handler = (res: HttpResponse, req: NativeRequest) => void

/** A route of the native layer. */
export interface NativeRoute {
  readonly method: 'any' | 'socket'
  /** `:name` matches one segment, `*` the rest of the path. */
  readonly pattern: string
}

/**
 * Registers every route of the native layer: the socket, pages, files, monitoring, and the last one, which leads to the table of operations.
 * Tests of what holds for all routes read the list, so they find a new route by themselves.
 */
export class NativeRoutes {
  readonly list: NativeRoute[] = []

  constructor(
    private readonly app: TemplatedApp,
    private readonly connections: Connections,
  ) {}

  /** All methods of a path whose handler reads the body, and judges its length. */
  withBody(pattern: string, handle: Handler): void {
    this.list.push({ method: 'any', pattern })
    this.app.any(pattern, handle)
  }

  /** As `withBody`, for handlers that read a body of one plain length only. */
  form(pattern: string, handle: Handler): void {
    this.withBody(pattern, this.withPlainFraming(handle, 'This path reads bodies of one plain length.'))
  }

  /** All methods of a path whose handler reads no body. */
  any(pattern: string, handle: Handler): void {
    this.list.push({ method: 'any', pattern })
    this.app.any(pattern, this.withoutBody(handle))
  }

  socket<Data>(pattern: string, behavior: WebSocketBehavior<Data>): void {
    this.list.push({ method: 'socket', pattern })
    this.app.ws<Data>(pattern, behavior)
  }

  /**
   * The native layer skips a body with one plain length that is not read. Of another body it would read a part as the next request, so such a
   * request is refused, and its connection closed.
   */
  private withoutBody(handle: Handler): Handler {
    return this.withPlainFraming(handle, 'This path reads no body: send none, or its length.')
  }

  private withPlainFraming(handle: Handler, otherwise: string): Handler {
    return (res, req) => {
      if (hasPlainFraming(req)) handle(res, req)
      else new HttpRequest(this.connections, res, req).refuse(badRequest(otherwise))
    }
  }
}
