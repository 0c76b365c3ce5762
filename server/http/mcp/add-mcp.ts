import { z } from 'zod'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { version } from '../../config/version.js'
import { anyAccount } from '../../policies/allow.js'
import type { UserRow } from '../../store/users/users.js'
import { parseJson } from '../../text/bounded-json.js'
import { admitNow, notLoggedIn, requireOpen } from '../admission.js'
import { type Header, jsonTextOf, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import { InnerRequest } from '../inner-request.js'
import type { NativeRoutes } from '../native-routes.js'
import { answerOf } from '../pipeline.js'
import { writeWhole } from '../write-answer.js'
import { McpRequest } from './mcp-request.js'
import type { Tool } from './tool.js'

const path = '/mcp'
// The newest first, which a client gets that asks for another one.
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

// https://www.jsonrpc.org/specification#error_object
const parseError = -32700
const invalidRequest = -32600
const methodNotFound = -32601
const invalidParams = -32602

const message = z.object({
  jsonrpc: z.literal('2.0'),
  /** Absent: a notification, which has no answer. */
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
})
const call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })

/** A failure that the protocol itself has a code for. */
class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    readonly code: number,
    text: string,
  ) {
    super(text)
  }
}

/** Offers operations to assistants by the Model Context Protocol, over HTTP without sessions (docs/protocol/assistants.md). */
export function addMcp(routes: NativeRoutes, connections: Connections, tools: () => readonly Tool[]): void {
  let known: ReadonlyMap<string, Tool> | undefined
  const all = () => {
    known ??= new Map(tools().map(tool => [tool.listed.name, tool]))
    return known
  }
  routes.form(path, (res, req) => void answer(connections, all, new McpRequest(connections, res, req)))
}

type Tools = () => ReadonlyMap<string, Tool>

async function answer(connections: Connections, tools: Tools, request: McpRequest): Promise<void> {
  try {
    // The whole body first: an answer before its end would break the connection.
    const body = await request.received
    const caller = await admitted(connections, request)
    const said = await reply(connections, tools, { request, caller, body })
    send(
      request,
      said === undefined ? { status: 202, headers: [] } : { status: 200, body: JSON.stringify(said), headers: [] },
    )
  } catch (thrown) {
    const { status, body, headers } = refusal(connections.ctx, thrown, {
      operation: 'mcp',
      codec: 'json',
      named: request,
    })
    // For Basic a browser would ask the user for a password.
    const shown = headers.map(([name, value]): Header => [name, name === 'WWW-Authenticate' ? 'Bearer' : value])
    send(request, { status, body: body as string, headers: shown })
  }
}

/** @throws {ApiError} METHOD_NOT_ALLOWED, UNAUTHORIZED, INVALID_API_KEY, USER_DEACTIVATED, RATE_LIMIT_HIT, BAD_REQUEST */
async function admitted(connections: Connections, request: McpRequest): Promise<UserRow> {
  if (request.method !== 'POST')
    throw new ApiError('METHOD_NOT_ALLOWED', 'This path takes POST: there is no stream of messages of the server.', {
      allowed_methods: ['POST'],
    })
  if (!connections.cors.mayConnect(request.origin, request.host))
    throw badRequest('Pages of this origin have no access.')
  const user = await admitNow(connections, request)
  if (!user) throw notLoggedIn()
  requireOpen({ user, client: request.client, sessionId: undefined }, { method: 'POST', path, allow: anyAccount })
  if (request.version !== '' && !versions.includes(request.version))
    throw badRequest(`Bad MCP-Protocol-Version: one of ${versions.join(', ')} is expected.`)
  return user
}

interface Said {
  readonly request: McpRequest
  readonly caller: UserRow
  readonly body: Buffer
}

/** Undefined: a notification has no reply. */
async function reply(connections: Connections, tools: Tools, said: Said): Promise<object | undefined> {
  let id: string | number | null = null
  try {
    const { success, data } = message.safeParse(jsonOf(said.body))
    if (!success) throw new RpcError(invalidRequest, 'One request of JSON-RPC 2.0 is expected.')
    if (data.id === undefined) return undefined
    id = data.id
    return { jsonrpc: '2.0', id, result: await resultOf(connections, tools, said, data) }
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    return { jsonrpc: '2.0', id, error: { code: thrown.code, message: thrown.message } }
  }
}

/** @throws {RpcError} */
function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new RpcError(parseError, 'The body is not JSON, or too deep.')
  }
}

/** @throws {RpcError} */
async function resultOf(
  connections: Connections,
  tools: Tools,
  said: Said,
  { method, params }: z.output<typeof message>,
): Promise<object> {
  switch (method) {
    case 'initialize': {
      const asked = params.protocolVersion
      return {
        protocolVersion: versions.find(version => version === asked) ?? versions[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'parley', version },
      }
    }
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: [...tools().values()].map(({ listed }) => listed) }
    case 'tools/call':
      return callTool(connections, tools, said, params)
    default:
      throw new RpcError(methodNotFound, `There is no method ${method}.`)
  }
}

/** The answer of the operation as text; a refusal is a result that the assistant reads. @throws {RpcError} */
async function callTool(
  connections: Connections,
  tools: Tools,
  { request, caller }: Said,
  params: Readonly<Record<string, unknown>>,
): Promise<object> {
  const { success, data } = call.safeParse(params)
  const tool = success ? tools().get(data.name) : undefined
  if (!success || !tool) throw new RpcError(invalidParams, 'There is no such tool.')
  const { status, body } = await answerOf(connections, requestFor(tool, request, caller, data.arguments))
  return { content: [{ type: 'text', text: jsonTextOf(body) }], isError: status >= 400 }
}

/** @throws {RpcError} */
function requestFor({ route }: Tool, request: McpRequest, caller: UserRow, given: Readonly<Record<string, unknown>>) {
  const args = new Map(Object.entries(given))
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args.get(name)
    args.delete(name)
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new RpcError(invalidParams, `Missing '${name}' argument`)
    return encodeURIComponent(value)
  })
  return new InnerRequest(request, caller, { method: route.method, path, args })
}

interface Sent {
  readonly status: number
  readonly body?: string
  readonly headers: readonly Header[]
}

function send(request: McpRequest, { status, body, headers }: Sent): void {
  if (request.isGone) return
  request.isGone = true
  writeWhole(request.res, status, {
    headers: [
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ['Cache-Control', 'no-store'],
      ...headers,
    ],
    ...(body !== undefined && { body }),
    ending: { isHead: request.method === 'HEAD', closes: request.closes },
  })
}
