import { ApiError } from '../../../shared/errors.js'
import { deliver, noticeOwner } from '../../actions/integrations/deliver.js'
import { type Integration, UnsupportedEvent, wantedMessages } from '../../integrations/index.js'
import type { UserRow } from '../../store/users/users.js'
import { admitNow } from '../admission.js'
import { type Answer, refusal, success } from '../answer.js'
import type { Connections } from '../connections.js'
import { decoded } from '../files/file-request.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeWhole } from '../write-answer.js'
import { folder, IncomingRequest } from './incoming-request.js'

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
  const operation = `external_${request.integration?.name ?? 'unknown'}`
  try {
    // The whole body first: an answer before its end would break the connection.
    await request.receive()
    send(request, await answerOf(connections, request))
  } catch (thrown) {
    send(request, refusal(ctx, thrown, { operation, codec: 'json', named }))
  }
}

async function answerOf(connections: Connections, request: IncomingRequest): Promise<Answer> {
  const { integration } = request
  if (!integration) throw new ApiError('NOT_FOUND', 'There is no such integration.')
  if (request.method !== 'POST')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An integration takes POST.', { allowed_methods: ['POST'] })
  // The request names an account, or is refused.
  const sender = (await admitNow(connections, request)) as UserRow
  try {
    const { params } = request
    const events = { only: params.get('only_events'), exclude: params.get('exclude_events') }
    const messages = wantedMessages(integration.read(request), events)
    const [stream, topic] = ['stream', 'topic'].map(name => placeOf(integration, params.get(name)))
    const place = { stream, topic }
    await deliver(connections.ctx, sender, integration, { messages, place })
  } catch (thrown) {
    if (thrown instanceof UnsupportedEvent) return unsupported(integration, thrown)
    if (!(thrown instanceof ApiError) || thrown.status >= 500) throw thrown
    if (thrown.code === 'MISSING_HTTP_EVENT_HEADER')
      await noticeOwner(
        connections.ctx,
        sender,
        `Something wrote to the address of ${integration.displayName}. ${thrown.message}`,
      )
    if (!integration.refusal) throw thrown
    return { status: 400, code: thrown.code, body: JSON.stringify(integration.refusal(thrown.message)), headers: [] }
  }
  return success(integration.success ?? {}, [], 'json')
}

function placeOf({ isTwiceEncoded }: Integration, given: string | undefined): string | undefined {
  if (given === undefined || !isTwiceEncoded) return given
  // A per cent sign that is only one stays.
  return decoded(given) ?? given
}

/** A success: the service would repeat a request that fails. */
function unsupported({ displayName }: Integration, { message, eventType }: UnsupportedEvent): Answer {
  const code = 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'
  const body = { result: 'success', msg: message, code, webhook_name: displayName, event_type: eventType }
  return { status: 200, body: JSON.stringify(body), headers: [] }
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
