import { ApiError, badRequest } from '../../../shared/errors.js'
import { continueUpload, createUpload, endUpload, uploadState } from '../../actions/files/resumable-upload.js'
import type { Actor } from '../../auth/actor.js'
import { logFailure } from '../../failures/log-failure.js'
import { anyAccount } from '../../policies/allow.js'
import type { ResumableUpload } from '../../store/files/resumable-uploads.js'
import { admitNow, notLoggedIn, requireOpen } from '../admission.js'
import { type Header, refusal } from '../answer.js'
import { clientName } from '../client-name.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { readMetadata } from './metadata.js'
import { TusRequest } from './tus-request.js'

const root = '/api/v1/tus'
const methods = ['OPTIONS', 'POST', 'HEAD', 'PATCH', 'DELETE'] as const
const uploads = { method: 'POST', path: '/tus/', allow: anyAccount } as const
const version = '1.0.0'
const pathForm = /^1\/[0-9a-f]{2}\/[\w-]{24}\/[\w.-]{1,200}$/
const bodyType = 'application/offset+octet-stream'
const sent =
  ', Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Defer-Length, X-HTTP-Method-Override, X-Requested-With'
const exposed =
  ', Location, Upload-Offset, Upload-Length, Upload-Metadata, Tus-Version, Tus-Resumable, Tus-Max-Size, Tus-Extension'

interface TusAnswer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly json?: string
}

/**
 * Serves resumable uploads by tus 1.0. These are no operations: status, headers and bodies are those of the protocol
 * (docs/protocol/files.md#resumable-uploads).
 */
export function addTus(routes: NativeRoutes, connections: Connections): void {
  for (const pattern of [root, `${root}/*`]) {
    routes.withBody(pattern, (res, req) => void run(connections, new TusRequest(connections, res, req)))
  }
}

async function run(connections: Connections, request: TusRequest): Promise<void> {
  const { status, headers, json } = await answerOf(connections, request).catch(thrown =>
    refused(connections, request, thrown),
  )
  const always: Header[] = [
    ['Tus-Resumable', version],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ...(request.verb === 'OPTIONS' ? [] : connections.cors.headers(request.head.origin, exposed)),
  ]
  request.answer(status, [...always, ...headers], json)
}

async function answerOf(connections: Connections, request: TusRequest): Promise<TusAnswer> {
  const { ctx } = connections
  const { verb, head } = request
  if (head.isAmbiguous) throw badRequest('The length of the request can be read in more than one way.')
  if (verb === 'OPTIONS') return { status: 204, headers: abilities(connections, head.origin) }
  if (request.version !== version) {
    const json = JSON.stringify(body('BAD_REQUEST', `Tus-Resumable must be ${version}.`))
    return { status: 412, headers: [['Tus-Version', version]], json }
  }
  const actor = await callerOf(connections, request)
  const pathId = request.path?.slice(root.length + 1)
  if (verb === 'POST' && pathId === '') return create(connections, actor, request)
  if (pathId === undefined || !pathForm.test(pathId)) throw missing()
  if (verb === 'PATCH') return resume(connections, actor, request, pathId)
  if (verb === 'HEAD') return state(await uploadState(ctx, actor, pathId))
  if (verb === 'DELETE') {
    await endUpload(ctx, actor, pathId)
    return { status: 204, headers: [] }
  }
  throw new ApiError('METHOD_NOT_ALLOWED', `${verb} is not possible here.`, { allowed_methods: methods })
}

/** @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT */
async function callerOf(connections: Connections, request: TusRequest): Promise<Actor> {
  const user = await admitNow(connections, request)
  if (!user) throw notLoggedIn()
  const actor = { user, client: clientName(request.head.userAgent) }
  requireOpen(actor, uploads)
  return actor
}

function abilities({ ctx, cors }: Connections, origin: string): Header[] {
  return [
    ['Tus-Version', version],
    ['Tus-Extension', 'creation,creation-with-upload,termination'],
    ['Tus-Max-Size', String(ctx.config.maxFileUploadMib * 1024 * 1024)],
    ['Allow', methods.join(', ')],
    ...cors.preflight(origin, methods, sent),
  ]
}

async function create({ ctx }: Connections, actor: Actor, request: TusRequest): Promise<TusAnswer> {
  if (request.isDeferred || !/^\d+$/.test(request.length)) {
    throw new ApiError('BAD_REQUEST', 'Upload-Length must say how many bytes the file has.', {}, 411)
  }
  if (request.body) requireBodyType(request)
  const metadata = readMetadata(request.metadata)
  const length = Number(request.length)
  const pathId = await createUpload(ctx, actor, {
    length,
    name: metadata.get('filename') ?? '',
    type: metadata.get('filetype') ?? '',
    metadata: request.metadata,
  })
  const location: Header = ['Location', `${ctx.publicUrl}${root}/${pathId}`]
  if (!request.body && length > 0) return { status: 201, headers: [location] }
  const upload = await continueUpload(ctx, actor, pathId, { offset: 0, body: request.body }).catch(async error => {
    // A client that is refused does not know the address, so it can neither continue the upload nor end it.
    await endUpload(ctx, actor, pathId).catch(failure => logFailure(ctx, failure, 'a refused upload stays for a day'))
    throw error
  })
  return upload.is_done ? done(upload, [location]) : { status: 201, headers: [location, offsetOf(upload)] }
}

async function resume({ ctx }: Connections, actor: Actor, request: TusRequest, pathId: string): Promise<TusAnswer> {
  requireBodyType(request)
  if (!/^\d{1,15}$/.test(request.offset)) {
    throw new ApiError('BAD_REQUEST', 'Upload-Offset must say where these bytes begin.', {}, 409)
  }
  const upload = await continueUpload(ctx, actor, pathId, { offset: Number(request.offset), body: request.body })
  return upload.is_done ? done(upload, []) : { status: 204, headers: [offsetOf(upload)] }
}

function requireBodyType({ head }: TusRequest): void {
  if (head.contentType !== bodyType) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The Content-Type must be ${bodyType}.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'There is no such upload.', {}, 404)
const offsetOf = ({ received }: ResumableUpload): Header => ['Upload-Offset', String(received)]

function state(upload: ResumableUpload): TusAnswer {
  const headers: Header[] = [offsetOf(upload), ['Upload-Length', String(upload.length)]]
  if (upload.metadata !== '') headers.push(['Upload-Metadata', upload.metadata])
  return { status: 200, headers }
}

/** The answer with which an upload has become a file. */
function done(upload: ResumableUpload, headers: readonly Header[]): TusAnswer {
  const url = `/user_uploads/${upload.path_id}`
  const json = JSON.stringify({ result: 'success', msg: '', url, uri: url, filename: upload.name })
  return { status: 200, headers: [...headers, offsetOf(upload)], json }
}

/** A refusal, for clients of tus, which read `message`, and for those of the API. Status 400 would make common clients try again. */
function refused({ ctx, ids }: Connections, request: TusRequest, thrown: unknown): TusAnswer {
  const {
    status,
    code,
    body: text,
    headers,
  } = refusal(ctx, thrown, { operation: 'tus_upload', codec: 'json', named: ids.named(request) })
  const { msg } = JSON.parse(text as string) as { msg: string }
  const own = code === 'REALM_UPLOAD_QUOTA' ? 413 : 422
  return { status: status === 400 ? own : status, headers, json: JSON.stringify(body(code ?? '', msg)) }
}

const body = (code: string, msg: string) => ({ result: 'error', code, msg, message: msg })
