import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { readThumbnail } from '../../actions/files/thumbnails.js'
import { fileOfToken } from '../../auth/file-tokens.js'
import type { Ctx } from '../../ctx.js'
import { surchargeOf } from '../../limits/request-cost.js'
import { maySpectatorRead } from '../../limits/spectator-reads.js'
import { findFiles } from '../../lookups/find-file.js'
import { isOpenToWeb } from '../../policies/spectators.js'
import type { ByteRange } from '../../storage/storage.js'
import type { StoredFile } from '../../store/files/attachments.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeHead, writeWhole } from '../write-answer.js'
import { rangeOf } from './byte-range.js'
import { callerOf } from './file-caller.js'
import { commonHeaders, etagOf, fileHeaders } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { refuseFile } from './refuse-file.js'
import { sendChunks } from './send-chunks.js'

const root = '/user_uploads/'

/**
 * Serves uploaded files. These are no operations: their addresses stand in messages, and browsers ask for them without credentials
 * of the API (docs/protocol/files.md).
 */
export function addFiles(routes: NativeRoutes, connections: Connections): void {
  routes.any(`${root}*`, (res, req) => void run(connections, res, req))
}

async function run(connections: Connections, res: HttpResponse, req: NativeRequest): Promise<void> {
  const request = new FileRequest(connections, res, req)
  try {
    await serve(connections, request)
  } catch (thrown) {
    const { ctx, ids } = connections
    refuseFile(request, refusal(ctx, thrown, { operation: 'serve_upload', codec: 'json', named: ids.named(request) }))
  }
}

async function serve(connections: Connections, request: FileRequest): Promise<void> {
  if (!request.isRead) {
    throw new ApiError('METHOD_NOT_ALLOWED', 'A file is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
  }
  const path = request.path?.slice(root.length) ?? ''
  const [kind = '', ...rest] = path.split('/')
  if (kind === 'temporary') return send(connections, request, await fileOfTemporary(connections, request, rest), false)
  if (kind === 'thumbnail') return sendThumbnail(connections, request, rest)
  const isDownload = kind === 'download'
  const { file } = await readableFile(connections, request, isDownload ? rest.join('/') : path)
  return send(connections, request, file, isDownload)
}

async function fileOfTemporary(
  { ctx }: Connections,
  request: FileRequest,
  [token = '', name]: readonly string[],
): Promise<StoredFile> {
  const pathId = fileOfToken(ctx, token)
  if (pathId === undefined || pathId.split('/').at(-1) !== name) {
    request.charge(null)
    throw new ApiError('BAD_REQUEST', 'Invalid token')
  }
  request.charges.chargeRead(null)
  const [file] = await findFiles(ctx, ctx.sql, null, [pathId])
  if (!file) throw missing()
  return file
}

/** A file that the caller may read; `account`: the caller, null for a spectator. */
async function readableFile(
  connections: Connections,
  request: FileRequest,
  pathId: string,
): Promise<{ file: StoredFile; account: number | null }> {
  const { ctx } = connections
  const user = await callerOf(connections, request)
  const isSpectator = user === null
  if (isSpectator && !isOpenToWeb(ctx.directory)) throw notLoggedIn()
  const [file] = await findFiles(ctx, ctx.sql, user, [pathId])
  if (file?.isReadable && (!isSpectator || (await maySpectatorRead(ctx, pathId)))) {
    return { file, account: user?.id ?? null }
  }
  if (isSpectator) throw notLoggedIn()
  throw file ? new ApiError('BAD_REQUEST', 'You are not authorized to view this file.', {}, 403) : missing()
}

async function sendThumbnail(
  connections: Connections,
  request: FileRequest,
  segments: readonly string[],
): Promise<void> {
  const name = segments.at(-1) ?? ''
  const { file, account } = await readableFile(connections, request, segments.slice(0, -1).join('/'))
  const etag = `"${etagOf(file).slice(1, -1)}/${name}"`
  const headers = fileHeaders({ ...file, name, content_type: 'image/webp' }, false).map(
    ([header, value]): Header => (header === 'ETag' ? [header, etag] : [header, value]),
  )
  const signal = request.goneSignal()
  const bytes = await readThumbnail(connections.ctx, file, name, { account, signal })
  if (!bytes) throw missing()
  if (request.ifNoneMatch.split(',').some(one => ['*', etag, `W/${etag}`].includes(one.trim()))) {
    write(request, 304, headers)
    return
  }
  write(request, 200, [...headers, ['Content-Type', 'image/webp']], bytes)
}

const missing = () => new ApiError('BAD_REQUEST', 'This file does not exist or has been deleted.', {}, 404)
const notLoggedIn = () => new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')

async function send({ ctx }: Connections, request: FileRequest, file: StoredFile, isDownload: boolean): Promise<void> {
  const headers = fileHeaders(file, isDownload)
  const etag = etagOf(file)
  if (request.ifNoneMatch.split(',').some(one => ['*', etag, `W/${etag}`].includes(one.trim()))) {
    write(request, 304, headers)
    return
  }
  const range = request.ifRange === '' || request.ifRange === etag ? rangeOf(request.range, file.size) : undefined
  if (range === null) {
    write(request, 416, [...commonHeaders, ['Content-Range', `bytes */${file.size}`]])
    return
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const typed: Header[] = [...headers, ['Content-Type', file.content_type]]
  if (range) typed.push(['Content-Range', `bytes ${start}-${end}/${file.size}`])
  const status = range ? 206 : 200
  const accelerated = ctx.config.filesAccelPrefix
  if (accelerated !== undefined) {
    // The proxy reads the file, and answers ranges itself.
    const inside = encodeURI(accelerated + file.path_id)
    write(request, 200, [...headers, ['Content-Type', file.content_type], ['X-Accel-Redirect', inside]])
    return
  }
  const length = end - start + 1
  if (request.method === 'HEAD' || length === 0) {
    write(request, status, typed, length)
    return
  }
  const begin = () => request.res.cork(() => writeHead(request.res, status, typed))
  await ctx.workLimits.downloads.run(request.charges.reader, () =>
    sendBytes(ctx, request, file, { range: { start, end }, begin }),
  )
}

/** Sends bytes of a file after `begin` has written the head of the answer. They count for the reader. */
async function sendBytes(
  { storage }: Ctx,
  request: FileRequest,
  { path_id }: StoredFile,
  { range, begin }: { readonly range: ByteRange; readonly begin: () => void },
): Promise<void> {
  const chunks = await storage.read(path_id, range)
  if (!chunks) throw missing()
  if (!request.isGone) begin()
  let bytesOut = 0
  const counted = counting(chunks, bytes => {
    bytesOut += bytes
  })
  try {
    // Even if the client has left: only an iteration that has begun releases the source.
    await sendChunks(request, counted, range.end - range.start + 1)
  } finally {
    request.charges.surchargeRead(surchargeOf({ ms: 0, bytesIn: 0, bytesOut }))
  }
}

async function* counting(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

/** A whole answer. `body`: undefined, the bytes, or for HEAD their number. */
function write(request: FileRequest, status: number, headers: readonly Header[], body?: Uint8Array | number): void {
  if (request.isGone) return
  writeWhole(request.res, status, { headers, body, ending: { isHead: request.method === 'HEAD', closes: false } })
}
