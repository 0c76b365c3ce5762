import { ApiError } from '../../../shared/errors.js'
import { deliver } from '../../actions/integrations/deliver.js'
import { type Integration, integrations, wantedMessages } from '../../integrations/index.js'
import { type Answer, refusal, success } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { IncomingRequest } from './incoming-request.js'

const prefix = '/api/v1/external/'

/** Takes what services send, and makes messages of it (docs/protocol/integrations.md). */
export function addIntegrations(routes: NativeRoutes, connections: Connections): void {
  routes.form(
    `${prefix}:integration`,
    (res, req) => void answer(connections, new IncomingRequest(connections, res, req)),
  )
}

async function answer(connections: Connections, request: IncomingRequest): Promise<void> {
  const { ctx, ids } = connections
  const named = ids.named(request)
  const integration = integrations.get((request.path ?? '').slice(prefix.length))
  const operation = `external_${integration?.name ?? 'unknown'}`
  try {
    // The whole body first: an answer before its end would break the connection.
    await request.receive()
    send(request, await answerOf(connections, request, integration))
  } catch (thrown) {
    send(request, refusal(ctx, thrown, { operation, codec: 'json', named }))
  }
}

async function answerOf(
  { ctx, keys }: Connections,
  request: IncomingRequest,
  integration: Integration | undefined,
): Promise<Answer> {
  if (!integration) throw new ApiError('NOT_FOUND', 'There is no such integration.')
  if (request.method !== 'POST')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An integration takes POST.', { allowed_methods: ['POST'] })
  const key = request.params.get('api_key')
  if (key === undefined)
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'api_key' argument", { var_name: 'api_key' })
  const before = await keys.ofKey(key, request.charges)
  request.charge(before)
  await ctx.directory.fresh()
  const sender = keys.current(before)
  try {
    const { params } = request
    const events = { only: params.get('only_events'), exclude: params.get('exclude_events') }
    const messages = wantedMessages(integration.read(request), events)
    const place = { stream: params.get('stream'), topic: params.get('topic') }
    await deliver(ctx, sender, integration, { messages, place })
  } catch (thrown) {
    if (!integration.refusal || !(thrown instanceof ApiError) || thrown.status >= 500) throw thrown
    return { status: 400, code: thrown.code, body: JSON.stringify(integration.refusal(thrown.message)), headers: [] }
  }
  return success(integration.success ?? {}, [], 'json')
}

function send(request: IncomingRequest, { status, body, headers }: Answer): void {
  if (request.isGone) return
  request.isGone = true
  writeWhole(request.res, status, {
    headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store'], ...headers],
    body: body as string,
    ending: { isHead: request.method === 'HEAD', closes: request.closes },
  })
}
