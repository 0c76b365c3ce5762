import { ApiError } from '../../../shared/errors.js'
import { requireActiveOrganization } from '../../auth/require-active.js'
import type { WorkerCtx } from '../../ctx.js'
import { findScimToken, type ScimToken } from '../../store/accounts/scim-tokens.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { notFound, type ScimAnswer, type ScimCall, type ScimResources } from './answer.js'
import { objectOf } from './body.js'
import { discover } from './discovery.js'
import { scimGroups } from './groups.js'
import { ScimError } from './scim-error.js'
import { ScimRequest } from './scim-request.js'
import { scimUsers } from './users.js'

const prefix = '/scim/v2'
const paths = /^\/(?<kind>Users|Groups|ServiceProviderConfig|ResourceTypes|Schemas)(?:\/(?<id>[^/]+))?\/?$/

/** Serves directories that create, change and remove people and groups: SCIM 2.0, RFC 7643 and 7644 (docs/directories.md). */
export function addScim(routes: NativeRoutes, connections: Connections): void {
  routes.form(`${prefix}/*`, (res, req) => void answer(connections, new ScimRequest(connections, res, req)))
}

async function answer(connections: Connections, request: ScimRequest): Promise<void> {
  const { ctx, ids } = connections
  const named = ids.named(request)
  const { kind = '', id } = paths.exec((request.path ?? '').slice(prefix.length))?.groups ?? {}
  const operation = operationOf(request.method, kind)
  try {
    // The whole body first: an answer before its end would break the connection.
    const text = await request.text()
    const token = await admitted(ctx, request)
    const operator = `scim token ${token.name}`
    const origin = { userId: null, operation, requestId: named.requestId, address: request.address, operator }
    const own: WorkerCtx = { ...ctx, write: (work, trace) => ctx.write(work, trace, origin) }
    const call: ScimCall = { ctx: own, token, query: request.query, body: () => objectOf(text) }
    send(request, await answerOf(call, request.method, kind, id))
  } catch (thrown) {
    send(request, refused(ctx, thrown, operation, named))
  }
}

/** For the log and the audit log. */
function operationOf(method: string, kind: string): string {
  const what = kind === 'Users' ? 'user' : kind === 'Groups' ? 'group' : 'server'
  const verb = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[method] ?? 'get'
  return `scim_${verb}_${what}`
}

/** @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT, REALM_DEACTIVATED */
async function admitted(ctx: WorkerCtx, { charges, bearer }: ScimRequest): Promise<ScimToken> {
  charges.admit()
  const token = bearer === undefined ? undefined : await findScimToken(ctx.sql, bearer, new Date(ctx.clock.now()))
  if (!token) throw new ApiError('UNAUTHORIZED', 'The bearer token is missing, wrong or revoked.')
  charges.succeeded()
  // Accounts have positive ids, so a token has a limit of its own.
  charges.charge(-token.id)
  await ctx.directory.fresh()
  requireActiveOrganization(ctx.directory)
  return token
}

async function answerOf(call: ScimCall, method: string, kind: string, id: string | undefined): Promise<ScimAnswer> {
  const reads = method === 'GET' || method === 'HEAD'
  if (kind === '') throw notFound()
  if (kind !== 'Users' && kind !== 'Groups') {
    if (reads) return discover(call, kind, id)
    throw notAllowed(['GET'])
  }
  const resources: ScimResources = kind === 'Users' ? scimUsers : scimGroups
  if (id === undefined) {
    if (reads) return resources.list(call)
    if (method === 'POST') return resources.create(call)
    throw notAllowed(['GET', 'POST'])
  }
  if (reads) return resources.get(call, id)
  if (method === 'PUT') return resources.replace(call, id)
  if (method === 'PATCH') return resources.patch(call, id)
  if (method === 'DELETE') return resources.remove(call, id)
  throw notAllowed(['GET', 'PUT', 'PATCH', 'DELETE'])
}

const notAllowed = (allowed_methods: string[]) =>
  new ApiError('METHOD_NOT_ALLOWED', 'This resource does not take this method.', { allowed_methods })

interface Refused extends ScimAnswer {
  readonly headers: readonly Header[]
}

function refused(
  ctx: WorkerCtx,
  thrown: unknown,
  operation: string,
  named: { readonly requestId: string; readonly address: string },
): Refused {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  if (thrown instanceof ScimError) {
    const { status, message: detail, scimType } = thrown
    return { status, body: { schemas, status: String(status), scimType, detail }, headers: [] }
  }
  const { status, body, code, headers } = refusal(ctx, thrown, { operation, codec: 'json', named })
  const scimType = code !== 'BAD_REQUEST' ? undefined : { 400: 'invalidValue', 409: 'uniqueness' }[status]
  const { msg: detail } = JSON.parse(String(body)) as { msg: string }
  const shown = headers.map(([name, value]): Header => [name, name === 'WWW-Authenticate' ? 'Bearer' : value])
  return { status, body: { schemas, status: String(status), scimType, detail }, headers: shown }
}

function send(request: ScimRequest, { status, body, location, headers = [] }: ScimAnswer & Partial<Refused>): void {
  if (request.isGone) return
  request.isGone = true
  writeWhole(request.res, status, {
    headers: [
      ...(body ? [['Content-Type', 'application/scim+json'] as const] : []),
      ['Cache-Control', 'no-store'],
      ...(location === undefined ? [] : [['Location', location] as const]),
      ...headers,
    ],
    ...(body && { body: JSON.stringify(body) }),
    ending: { isHead: request.method === 'HEAD', closes: request.closes },
  })
}
