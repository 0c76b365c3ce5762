import { ApiError, type ErrorCode } from '../../../shared/errors.js'
import { anyAccount } from '../../policies/allow.js'
import type { UserRow } from '../../store/users/users.js'
import { admitNow, requireOpen } from '../admission.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { addSlackUploads } from './add-slack-uploads.js'
import type { Fields, SlackMethod } from './method.js'
import { methods } from './methods/index.js'
import { SlackCall } from './slack-call.js'
import { errorNames, SlackError } from './slack-error.js'
import { folder, SlackRequest } from './slack-request.js'

/** Serves programs that were made for Slack: its Web API, by the operations of this server (docs/protocol/slack.md). */
export function addSlack(routes: NativeRoutes, connections: Connections): void {
  routes.form(`${folder}:method`, (res, req) => void answer(connections, new SlackRequest(connections, res, req)))
  addSlackUploads(routes, connections)
}

async function answer(connections: Connections, request: SlackRequest): Promise<void> {
  const method = methods.get(request.called)
  try {
    // The whole body first: an answer before its end would break the connection.
    await request.receive()
    send(request, 200, { ok: true, ...(await fieldsOf(connections, request, method)) })
  } catch (thrown) {
    const { error, details, status, headers } = refused(connections, thrown, { request, method })
    const messages = details.length > 0 && { response_metadata: { messages: details } }
    send(request, status, { ok: false, error, ...messages }, headers)
  }
}

/** @throws {SlackError}; {ApiError} */
async function fieldsOf(
  connections: Connections,
  request: SlackRequest,
  method: SlackMethod | undefined,
): Promise<Fields> {
  // The request names an account, or is refused.
  const caller = (await admitNow(connections, request)) as UserRow
  if (caller.bot_type === 2) throw new SlackError('not_allowed_token_type')
  requireOpen(
    { user: caller, client: request.client, sessionId: undefined },
    { method: 'POST', path: folder, allow: anyAccount },
  )
  if (!method) throw new SlackError('unknown_method')
  if ((request.token?.kind === 'xapp') !== (method.isOfApp === true) && request.token?.kind !== '')
    throw new SlackError('not_allowed_token_type')
  const { success, data, error } = method.args.safeParse(Object.fromEntries(request.args))
  if (!success) throw wrongArguments(error.issues)
  // The cast: the schema of the same method has read the arguments.
  return method.handle(new SlackCall(connections, request, caller), data as never)
}

const badArguments: Readonly<Record<string, string>> = { blocks: 'invalid_blocks', attachments: 'invalid_attachments' }

function wrongArguments(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]) {
  const [name] = issues[0]?.path ?? []
  const details = issues.slice(0, 10).map(({ path, message }) => `[ERROR] ${path.join('.')}: ${message}`)
  return new SlackError(badArguments[String(name)] ?? 'invalid_arguments', details)
}

interface Refused {
  readonly error: string
  readonly details: readonly string[]
  readonly status: number
  readonly headers: readonly Header[]
}

function refused(
  connections: Connections,
  thrown: unknown,
  { request, method }: { readonly request: SlackRequest; readonly method: SlackMethod | undefined },
): Refused {
  if (thrown instanceof SlackError) return { error: thrown.error, details: thrown.details, status: 200, headers: [] }
  const operation = `slack_${method?.name ?? 'unknown'}`
  const { status, code, headers } = refusal(connections.ctx, thrown, { operation, codec: 'json', named: request })
  const known = code as ErrorCode
  return {
    error: method?.refusals?.[known] ?? errorNames[known] ?? 'invalid_arguments',
    details: thrown instanceof ApiError ? [`[ERROR] ${thrown.message}`] : [],
    // Programs look at the error of a 200, and for a while come again after the others.
    status: status === 429 || status === 413 || status >= 500 ? status : 200,
    headers: headers.filter(([name]) => name === 'Retry-After'),
  }
}

function send(request: SlackRequest, status: number, body: Fields, headers: readonly Header[] = []): void {
  if (request.isGone) return
  request.isGone = true
  writeWhole(request.res, status, {
    headers: [['Content-Type', 'application/json; charset=utf-8'], ['Cache-Control', 'no-store'], ...headers],
    body: JSON.stringify(body),
    ending: { isHead: request.method === 'HEAD', closes: request.closes },
  })
}
