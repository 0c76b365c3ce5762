import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Directory } from '../../memory/directory.js'
import { deactivatedPath } from '../account-pages/add-account-page.js'
import type { Header } from '../answer.js'
import type { Connections } from '../connections.js'
import { codingFor } from '../content-coding.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import type { SiteFile } from './read-site.js'
import { fileHeaders, pageHeaders } from './site-headers.js'

const allowed = 'GET, HEAD'
// The smallest form first.
const codings = ['br', 'gzip'] as const

/**
 * Serves the built pages beside the API; while the organization is deactivated, they lead to the page that says so. Files are in memory with their compressed forms, so an answer is one write. Each file has a native
 * route of its own, so API requests are not matched against files in JavaScript.
 */
export function addSite(routes: NativeRoutes, { ctx }: Connections, files: readonly SiteFile[]): void {
  for (const file of files) routes.any(file.path, (res, req) => answer(ctx.directory, file, res, req))
}

function answer({ organization }: Directory, file: SiteFile, res: HttpResponse, req: HttpRequest): void {
  const method = req.getCaseSensitiveMethod()
  const ending = { isHead: method === 'HEAD', closes: false }
  if (method !== 'GET' && method !== 'HEAD') {
    writeWhole(res, 405, { headers: [['Allow', allowed], ...fileHeaders], body: '', ending })
    return
  }
  if (file.isPage && !organization.is_active) {
    writeWhole(res, 302, {
      headers: [
        ['Location', deactivatedPath],
        ['Cache-Control', 'no-store'],
      ],
      body: '',
      ending,
    })
    return
  }
  if (isKnown(req.getHeader('if-none-match'), file.etag)) {
    writeWhole(res, 304, { headers: headersOf(file), ending })
    return
  }
  const { encoding, bytes } = formFor(file, req.getHeader('accept-encoding'))
  const packed: Header[] = encoding ? [['Content-Encoding', encoding]] : []
  writeWhole(res, 200, { headers: [['Content-Type', file.type], ...packed, ...headersOf(file)], body: bytes, ending })
}

/** The smallest form that the client accepts. */
function formFor(file: SiteFile, accepted: string): { encoding?: string; bytes: Buffer } {
  const forms = { br: file.brotli, gzip: file.gzip }
  const coding = codingFor(
    accepted,
    codings.filter(one => forms[one]),
  )
  const bytes = coding && forms[coding]
  return bytes ? { encoding: coding, bytes } : { bytes: file.bytes }
}

/** Whether If-None-Match lists the file's ETag; `*` matches any. */
const isKnown = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch !== '' && ifNoneMatch.split(',').some(one => ['*', etag].includes(one.trim()))

const headersOf = (file: SiteFile): Header[] => [
  ['ETag', file.etag],
  ['Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'],
  ['Vary', 'Accept-Encoding'],
  ...(file.isPage ? pageHeaders : fileHeaders),
]
