import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import type { External, ExternalLimits } from '../../external/external.js'
import { BusyHost, ExternalFailure } from '../../external/external-failure.js'
import { chunksOf, type ExternalAnswer } from '../../external/external-hosts.js'
import type { FetchOwner } from '../../external/fetch-places.js'
import { externalRoot, readSignedAddress } from '../../external/signed-address.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeHead, writeWhole } from '../write-answer.js'
import { commonHeaders, contentPolicy } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { MinimumRate } from './minimum-rate.js'
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
export function addExternalContent(routes: NativeRoutes, connections: Connections): void {
  routes.any(`${externalRoot}*`, (res, req) => void run(connections, res, req))
}

async function run(connections: Connections, res: HttpResponse, req: NativeRequest): Promise<void> {
  const request = new FileRequest(connections, res, req)
  const { ctx, ids, limits } = connections
  try {
    if (!request.isRead) {
      throw new ApiError('METHOD_NOT_ALLOWED', 'This is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
    }
    const url = readSignedAddress(ctx.directory.organization.secret, request.path ?? '')
    const { charges } = request
    if (url === undefined) request.charge(null)
    const { external } = ctx
    if (!external || url === undefined) throw missing()
    limits.content?.charge(limits.content.of(charges.network))
    await passOn(external, request, url, { key: `reader ${charges.network}`, most: external.limits.perReader })
  } catch (thrown) {
    if (thrown instanceof ExternalFailure)
      ctx.log.debug({ reason: thrown.message }, 'content of another host is not shown')
    refuseFile(
      request,
      refusal(ctx, errorOf(thrown), { operation: 'external_content', codec: 'json', named: ids.named(request) }),
    )
  }
}

function errorOf(thrown: unknown): unknown {
  if (thrown instanceof BusyHost)
    return new ApiError('SERVER_NOT_READY', 'Too much content of other hosts is asked for: try again.')
  return thrown instanceof ExternalFailure ? missing() : thrown
}

// The same for every reason: the answer must not tell what the server can reach.
const missing = () => new ApiError('BAD_REQUEST', 'This content is not available.', {}, 404)

async function passOn(
  { hosts, limits }: External,
  request: FileRequest,
  url: string,
  owner: FetchOwner,
): Promise<void> {
  if (request.isGone) return
  const ending = new AbortController()
  const end = () => ending.abort()
  request.onGone = end
  const headTimer = setTimeout(end, limits.headMs)
  const range = request.method === 'GET' && oneRange.test(request.range) ? request.range : undefined
  const headers = { accept, ...(range !== undefined && { range }) }
  try {
    const answer = await hosts.get(url, { headers, owner, signal: ending.signal })
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
  limits: ExternalLimits,
): Promise<void> {
  const { res } = request
  if (request.method !== 'GET' || length === 0) {
    writeWhole(res, status, { headers, body: length, ending: { isHead: request.method === 'HEAD', closes: false } })
    return
  }
  res.cork(() => writeHead(res, status, headers))
  // Also ends the fetch, as if the client had left.
  const cutOff = () => {
    if (!request.isGone) res.close()
  }
  const deadline = setTimeout(cutOff, limits.bodyMs)
  try {
    await sendChunks(request, bounded(answer, limits, cutOff), length)
  } finally {
    clearTimeout(deadline)
  }
}

/** The body while host and client are fast enough; otherwise calls `cutOff`. @throws {ExternalFailure} if it is too large */
async function* bounded(
  answer: ExternalAnswer,
  limits: ExternalLimits,
  cutOff: () => void,
): AsyncGenerator<Uint8Array> {
  const host = new MinimumRate(limits.bytesPerSecond, limits.hostPauseMs, cutOff)
  const client = new MinimumRate(limits.bytesPerSecond, limits.clientPauseMs, cutOff)
  let bytes = 0
  try {
    host.wait()
    for await (const chunk of chunksOf(answer)) {
      host.passed(chunk.length)
      bytes += chunk.length
      if (bytes > limits.bytes) throw new ExternalFailure(`more than ${limits.bytes} bytes`)
      client.wait()
      yield chunk
      client.passed(chunk.length)
      host.wait()
    }
  } finally {
    host.stop()
    client.stop()
  }
}
