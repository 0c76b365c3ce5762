import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { surchargeOf } from '../../limits/request-cost.js'
import { exportName, exportRoot as root } from '../../presenters/exports.js'
import type { ByteRange, Storage } from '../../storage/storage.js'
import { type ExportPart, readParts } from '../../store/exports/export-parts.js'
import { exportOfToken } from '../../store/exports/exports.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeHead, writeWhole } from '../write-answer.js'
import { rangeOf } from './byte-range.js'
import { commonHeaders } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { refuseFile } from './refuse-file.js'
import { sendChunks } from './send-chunks.js'

/** Serves archives of exports to every caller that knows the address, of which administrators learn alone. */
export function addExports(routes: NativeRoutes, connections: Connections): void {
  routes.any(`${root}*`, (res, req) => void answer(connections, res, req))
}

async function answer(connections: Connections, res: HttpResponse, req: NativeRequest): Promise<void> {
  const request = new FileRequest(connections, res, req)
  try {
    await serve(connections, request)
  } catch (thrown) {
    const { ctx, ids } = connections
    refuseFile(request, refusal(ctx, thrown, { operation: 'export', codec: 'json', named: ids.named(request) }))
  }
}

interface Archive {
  readonly name: string
  readonly parts: readonly ExportPart[]
  readonly size: number
}

async function archiveAt({ ctx }: Connections, request: FileRequest): Promise<Archive> {
  if (!request.isRead) {
    throw new ApiError('METHOD_NOT_ALLOWED', 'A file is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
  }
  const [token = '', name, ...more] = (request.path ?? '').slice(root.length).split('/')
  // PostgreSQL takes no text with U+0000.
  const row = /^[\w-]+$/.test(token) ? await exportOfToken(ctx.sql, token) : undefined
  if (!row || name !== `${exportName(row)}.tar.gz` || more.length > 0) {
    // Only who guesses addresses asks for many that lead nowhere.
    request.charge(null)
    throw new ApiError('BAD_REQUEST', 'This export does not exist or has been deleted.', {}, 404)
  }
  request.charges.chargeRead(null)
  const parts = await readParts(ctx.sql, row.id)
  return { name, parts, size: parts.reduce((total, part) => total + part.head.length + part.size, 0) }
}

async function serve(connections: Connections, request: FileRequest): Promise<void> {
  const { ctx } = connections
  const { name, parts, size } = await archiveAt(connections, request)
  const headers: Header[] = [
    ...commonHeaders,
    ['Content-Disposition', `attachment; filename="${name}"`],
    ['Content-Security-Policy', "default-src 'none'"],
    ['Cache-Control', 'private, no-store'],
    ['Referrer-Policy', 'no-referrer'],
    ['Accept-Ranges', 'bytes'],
  ]
  const range = rangeOf(request.range, size)
  if (range === null) {
    writeWhole(request.res, 416, {
      headers: [...headers, ['Content-Range', `bytes */${size}`]],
      ending: { isHead: request.method === 'HEAD', closes: false },
    })
    return
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  headers.push(['Content-Type', 'application/gzip'])
  if (range) headers.push(['Content-Range', `bytes ${start}-${end}/${size}`])
  const status = range ? 206 : 200
  const length = end - start + 1
  if (request.method === 'HEAD') {
    writeWhole(request.res, status, { headers, body: length, ending: { isHead: true, closes: false } })
    return
  }
  await ctx.workLimits.downloads.run(request.charges.reader, async () => {
    if (request.isGone) return
    request.res.cork(() => writeHead(request.res, status, headers))
    try {
      await sendChunks(request, bytesOf(ctx.storage, parts, { start, end }), length)
    } finally {
      request.charges.surchargeRead(surchargeOf({ ms: 0, bytesIn: 0, bytesOut: length }))
    }
  })
}

/** The bytes of a range of the archive. */
async function* bytesOf(
  storage: Storage,
  parts: readonly ExportPart[],
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const { head, key, size } of parts) {
    yield* within(head, start - at, end - at)
    at += head.length
    const [from, to] = [Math.max(0, start - at), Math.min(size - 1, end - at)]
    if (key !== null && from <= to) {
      const chunks = await storage.read(key, { start: from, end: to })
      if (!chunks) throw new Error('a part of an export was removed while it was read')
      yield* chunks
    }
    at += size
    if (at > end) return
  }
}

function* within(bytes: Uint8Array, first: number, last: number): Iterable<Uint8Array> {
  const found = bytes.subarray(Math.max(0, first), Math.max(0, last + 1))
  if (found.length > 0) yield found
}
