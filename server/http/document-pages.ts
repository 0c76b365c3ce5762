import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ApiError } from '../../shared/errors.js'
import { type Header, refusal } from './answer.js'
import type { Connections } from './connections.js'
import { codingFor } from './content-coding.js'
import type { NativeRoutes } from './native-routes.js'
import { prefix } from './request-head.js'
import { writeAnswer, writeWhole } from './write-answer.js'

/** A static document that stays the same while the server runs. It is not an operation and does not use the envelope of operations. */
export interface Page {
  /** The path below /api/v1, literal, without parameters. */
  readonly path: string
  readonly type: string
  readonly headers: readonly Header[]
  /** Called once, at the first request. */
  read(): Buffer
}

const compress = promisify(gzip)
const allowed = ['GET', 'HEAD', 'OPTIONS']

/** Serves pages on exact paths beside the operations. */
export function addPages(routes: NativeRoutes, connections: Connections, pages: readonly Page[]): void {
  for (const page of pages) {
    const file = new PageFile(page)
    routes.any(prefix + page.path, (res, req) => void answer(connections, file, res, req))
  }
}

/** A page's bytes, compressed form and ETag, each computed once. */
class PageFile {
  private plain: Buffer | undefined
  private zipped: Promise<Buffer> | undefined
  private tag = ''

  constructor(readonly page: Page) {}

  get etag(): string {
    this.tag ||= `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`
    return this.tag
  }

  get bytes(): Buffer {
    this.plain ??= this.page.read()
    return this.plain
  }

  gzip(): Promise<Buffer> {
    this.zipped ??= compress(this.bytes)
    return this.zipped
  }
}

async function answer(connections: Connections, file: PageFile, res: HttpResponse, req: HttpRequest): Promise<void> {
  const method = req.getCaseSensitiveMethod()
  const known = req.getHeader('if-none-match')
  const zips = codingFor(req.getHeader('accept-encoding'), ['gzip']) !== undefined
  const cors = connections.cors.headers(req.getHeader('origin'))
  const preflight = connections.cors.preflight(req.getHeader('origin'), allowed)
  const { addresses } = connections
  const address = addresses.of(res, addresses.isForwarded(res) ? req.getHeader('x-forwarded-for') : '')
  let isGone = false
  res.onAborted(() => {
    isGone = true
  })
  try {
    if (!allowed.includes(method)) throw notAllowed()
    const body = method === 'OPTIONS' || isKnown(known, file.etag) ? undefined : zips ? await file.gzip() : file.bytes
    if (isGone) return
    const ending = { isHead: method === 'HEAD', closes: false }
    if (method === 'OPTIONS') writeWhole(res, 204, { headers: [['Allow', allowed.join(', ')], ...preflight], ending })
    else if (!body) writeWhole(res, 304, { headers: [...headersOf(file), ...cors], ending })
    else writeWhole(res, 200, { headers: [...headersOf(file, zips), ...cors], body, ending })
  } catch (thrown) {
    const error = refusal(connections.ctx, thrown, {
      operation: file.page.path,
      codec: 'json',
      named: connections.ids.named({ address }),
    })
    if (!isGone)
      res.cork(() =>
        writeAnswer(res, error, { isHead: method === 'HEAD', closes: false, further: cors, head: connections.head }),
      )
  }
}

const notAllowed = () =>
  new ApiError('METHOD_NOT_ALLOWED', 'This path does not take this method.', { allowed_methods: allowed })

/** Whether If-None-Match lists the page's ETag; `*` matches any. */
const isKnown = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch !== '' && ifNoneMatch.split(',').some(one => ['*', etag].includes(one.trim()))

function headersOf({ page, etag }: PageFile, zips = false): Header[] {
  return [
    ['Content-Type', page.type],
    ['ETag', etag],
    // The client revalidates each time, and gets 304 as long as the server's version is the same.
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept-Encoding'],
    ['X-Content-Type-Options', 'nosniff'],
    ...(zips ? ([['Content-Encoding', 'gzip']] as const) : []),
    ...page.headers,
  ]
}
