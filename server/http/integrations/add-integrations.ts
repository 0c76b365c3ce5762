import { ApiError } from '../../../shared/errors.js'
import { deliver } from '../../actions/integrations/deliver.js'
import { type Integration, integrations, wantedMessages } from '../../integrations/index.js'
import type { UserRow } from '../../store/users/users.js'
import { admitNow } from '../admission.js'
import { type Answer, refusal, success } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { IncomingRequest } from './incoming-request.js'

const folder = '/api/v1/external/'

/** Takes what services send, and makes messages of it (docs/protocol/integrations.md). */
export function addIntegrations(routes: NativeRoutes, connections: Connections): void {
  routes.form(
    `${folder}:integration`,
    (res, req) => void answer(connections, new IncomingRequest(connections, res, req)),
  )
}

async function answer(connections: Connections, request: IncomingRequest): Promise<void> {
  const { ctx, ids } = connections
  const named = ids.named(request)
  const integration = integrations.get((request.path ?? '').slice(folder.length))
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
  connections: Connections,
  request: IncomingRequest,
  integration: Integration | undefined,
): Promise<Answer> {
  if (!integration) throw new ApiError('NOT_FOUND', 'There is no such integration.')
  if (request.method !== 'POST')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An integration takes POST.', { allowed_methods: ['POST'] })
  // The request names an account, or is refused.
  const sender = (await admitNow(connections, request)) as UserRow
  try {
    const { params } = request
    const events = { only: params.get('only_events'), exclude: params.get('exclude_events') }
    const messages = wantedMessages(integration.read(request), events)
    const place = { stream: params.get('stream'), topic: params.get('topic') }
    await deliver(connections.ctx, sender, integration, { messages, place })
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
