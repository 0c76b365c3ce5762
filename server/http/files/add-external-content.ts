import type { HttpResponse, HttpRequest as NativeRequest, TemplatedApp } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { BoundedWork } from '../../concurrency/bounded-work.js'
import { type External, externalLimits } from '../../external/external.js'
import { BusyHost, ExternalFailure } from '../../external/external-failure.js'
import { chunksOf, type ExternalAnswer, type Within } from '../../external/external-hosts.js'
import { externalRoot, readSignedAddress } from '../../external/signed-address.js'
import { CallerCharges } from '../../limits/caller-charges.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import { isChunked } from '../request-head.js'
import { writeHead, writeWhole } from '../write-answer.js'
import { commonHeaders, contentPolicy } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { refuseFile } from './refuse-file.js'
import { sendChunks } from './send-chunks.js'

// Types that browsers show without running or loading anything else: no SVG, no playlists.
const shown: ReadonlySet<string> = new Set([
  ...[
    'apng',
    'avif',
    'bmp',
    'gif',
    'jpeg',
    'jpg',
    'pjpeg',
    'png',
    'vnd.microsoft.icon',
    'webp',
    'x-icon',
    'x-ms-bmp',
  ].map(type => `image/${type}`),
  ...['mp4', 'ogg', 'quicktime', 'webm', 'x-m4v'].map(type => `video/${type}`),
  ...['aac', 'flac', 'mp3', 'mp4', 'mpeg', 'ogg', 'vnd.wave', 'wav', 'webm', 'x-flac', 'x-m4a', 'x-wav'].map(
    type => `audio/${type}`,
  ),
])
const oneRange = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/
const contentRange = /^bytes (?:\d{1,15}-\d{1,15}|\*)\/(?:\d{1,15}|\*)$/
const accept = 'image/avif,image/webp,image/*,video/*,audio/*'

/**
 * Passes on pictures, videos and sounds of other hosts, so that these do not learn who reads a message
 * (docs/protocol/files.md#content-of-other-hosts).
 */
export function addExternalContent(app: TemplatedApp, connections: Connections): void {
  const { atOnce, waiting } = connections.ctx.external?.limits ?? externalLimits
  const work: Work = {
    requests: new BoundedWork(atOnce + waiting, 0, tooMuch),
    bodies: new BoundedWork(atOnce, waiting, tooMuch),
  }
  app.any(`${externalRoot}*`, (res, req) => void run(connections, work, res, req))
}

const tooMuch = 'Too much content of other hosts is asked for: try again.'

interface Work {
  /** All requests, those that wait included. */
  readonly requests: BoundedWork
  /** Those that are passed on. A request first waits for its host, so requests for one busy host leave room for other hosts. */
  readonly bodies: BoundedWork
}

async function run(connections: Connections, work: Work, res: HttpResponse, req: NativeRequest): Promise<void> {
  if (isChunked(req)) {
    res.close()
    return
  }
  const request = new FileRequest(connections, res, req)
  const { ctx, ids } = connections
  try {
    if (!request.isRead) {
      throw new ApiError('METHOD_NOT_ALLOWED', 'This is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
    }
    const url = readSignedAddress(ctx.directory.organization.secret, request.path ?? '')
    if (url === undefined) new CallerCharges(connections.limits, request).charge(null)
    const { external } = ctx
    if (!external || url === undefined) throw missing()
    await work.requests.run(() => passOn(external, request, url, fetch => work.bodies.run(fetch)))
  } catch (thrown) {
    if (thrown instanceof ExternalFailure)
      ctx.log.debug({ reason: thrown.message }, 'content of another host is not shown')
    refuseFile(request, refusal(ctx, errorOf(thrown), 'external_content', 'json', ids.fresh()))
  }
}

function errorOf(thrown: unknown): unknown {
  if (thrown instanceof BusyHost) return new ApiError('SERVER_NOT_READY', tooMuch)
  return thrown instanceof ExternalFailure ? missing() : thrown
}

// The same for every reason: the answer must not tell what the server can reach.
const missing = () => new ApiError('BAD_REQUEST', 'This content is not available.', {}, 404)

async function passOn({ hosts, limits }: External, request: FileRequest, url: string, within: Within): Promise<void> {
  if (request.isGone) return
  const ending = new AbortController()
  const end = () => ending.abort()
  request.onGone = end
  const headTimer = setTimeout(end, limits.headMs)
  const range = request.method === 'GET' && oneRange.test(request.range) ? request.range : undefined
  try {
    const answer = await hosts.get(url, { accept, ...(range !== undefined && { range }) }, ending.signal, within)
    clearTimeout(headTimer)
    const head = headOf(answer, range !== undefined, limits.bytes)
    if (request.isGone) return
    await send(request, answer, head, limits)
  } finally {
    clearTimeout(headTimer)
    // Also closes the connection to the host.
    end()
  }
}

interface Head {
  readonly status: 200 | 206 | 416
  readonly headers: readonly Header[]
  /** Undefined: the host does not tell. */
  readonly length: number | undefined
}

/** What this server says of the answer of another host. @throws {ExternalFailure} if it cannot be passed on. */
function headOf({ status, type, body }: ExternalAnswer, asksForRange: boolean, mostBytes: number): Head {
  const range = body.headers['content-range'] ?? ''
  const isPart = asksForRange && contentRange.test(range)
  const headers: Header[] = [...commonHeaders, ['Content-Security-Policy', contentPolicy]]
  if (isPart) headers.push(['Content-Range', range])
  if (status === 416 && isPart) return { status, headers, length: 0 }
  if (status !== 200 && !(status === 206 && isPart)) throw new ExternalFailure(`status ${status}`)
  if (!shown.has(type)) throw new ExternalFailure(`type ${type}`)
  const given = body.headers['content-length']
  const length = given === undefined ? undefined : Number(given)
  if (length !== undefined && length > mostBytes) throw new ExternalFailure(`${length} bytes`)
  headers.push(['Content-Type', type], ['Cache-Control', 'private, max-age=86400'])
  if (status === 206 || body.headers['accept-ranges'] === 'bytes') headers.push(['Accept-Ranges', 'bytes'])
  return { status, headers, length }
}

async function send(
  request: FileRequest,
  answer: ExternalAnswer,
  { status, headers, length }: Head,
  { bytes, stallMs }: External['limits'],
): Promise<void> {
  const { res } = request
  if (request.method !== 'GET' || length === 0) {
    writeWhole(res, status, headers, length, { isHead: request.method === 'HEAD', closes: false })
    return
  }
  res.cork(() => writeHead(res, status, headers))
  const stalled = setTimeout(() => {
    if (!request.isGone) res.close()
  }, stallMs)
  try {
    await sendChunks(
      request,
      bounded(answer, bytes, () => stalled.refresh()),
      length,
    )
  } finally {
    clearTimeout(stalled)
  }
}

async function* bounded(answer: ExternalAnswer, most: number, progress: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunksOf(answer)) {
    bytes += chunk.length
    if (bytes > most) throw new ExternalFailure(`more than ${most} bytes`)
    progress()
    yield chunk
  }
}
