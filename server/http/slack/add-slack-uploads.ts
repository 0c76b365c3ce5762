import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { randomBytes } from 'node:crypto'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { fileOfForm } from '../../params/file-of-form.js'
import type { SentBody } from '../../params/sent-body.js'
import type { UserRow } from '../../store/users/users.js'
import { admitNow } from '../admission.js'
import { refusal } from '../answer.js'
import { clientName } from '../client-name.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { StreamedRequest } from '../streamed-request.js'
import { uploadPath } from './methods/files.js'
import { SlackCall } from './slack-call.js'
import { ofTicket, tickets } from './ticket.js'

/** The bytes of a file for which `files.getUploadURLExternal` has made an address. */
class SlackUpload extends StreamedRequest {
  readonly client: string
  readonly requestId: string
  readonly bytes = 0
  readonly ticket: ReturnType<typeof ofTicket>

  constructor(connections: Connections, res: HttpResponse, req: NativeRequest) {
    super(connections, res, req)
    this.client = clientName(req.getHeader('user-agent'))
    this.requestId = connections.ids.text(connections.ids.next(), '')
    this.ticket = ofTicket(connections.ctx, tickets.upload, this.query.get('ticket') ?? '')
  }

  /** @throws {ApiError} UNAUTHORIZED */
  override identify(): UserRow {
    if (this.ticket) return this.ticket.user
    this.charges.admit()
    throw new ApiError('UNAUTHORIZED', 'The address of this upload is not valid any more.')
  }
}

export function addSlackUploads(routes: NativeRoutes, connections: Connections): void {
  routes.withBody(uploadPath, (res, req) => void run(connections, new SlackUpload(connections, res, req)))
}

async function run(connections: Connections, request: SlackUpload): Promise<void> {
  const always = [['Cache-Control', 'no-store'] as const]
  try {
    await store(connections, request)
    request.answer(200, always, JSON.stringify({ ok: true }))
  } catch (thrown) {
    const { status, body, headers } = refusal(connections.ctx, thrown, {
      operation: 'slack_upload',
      codec: 'json',
      named: request,
    })
    request.answer(status, [...always, ...headers], body as string)
  }
}

async function store(connections: Connections, request: SlackUpload): Promise<void> {
  if (request.head.isAmbiguous) throw badRequest('The length of the request can be read in more than one way.')
  if (request.method !== 'POST')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An upload takes POST.', { allowed_methods: ['POST'] })
  // The request names an account, or is refused.
  const caller = (await admitNow(connections, request)) as UserRow
  const [file = '', name = ''] = request.ticket?.values ?? []
  const { body } = request
  if (!body) throw badRequest('You must specify a file to upload')
  const call = new SlackCall(connections, request, caller)
  const upload = async (bytes: AsyncIterable<Uint8Array>) => {
    const { url } = await call.send<{ url: string }>('/user_uploads', formOf(body, name, bytes))
    await connections.ctx.slackPlaces.keepFile(caller.id, file, url)
  }
  const most = connections.ctx.config.maxFileUploadMib * 1024 * 1024
  // Slack's program for Node sends a form, that for Python the bytes alone.
  if (/^multipart\/form-data\s*;/i.test(body.type)) await fileOfForm(body, most, ({ bytes }) => upload(bytes))
  else await upload(body.stream)
}

/** The file under its own name in a form, as the operation reads it. */
function formOf({ length, stream }: SentBody, name: string, bytes: AsyncIterable<Uint8Array>): SentBody {
  const boundary = randomBytes(16).toString('hex')
  const shown = name.replace(/["\r\n]/g, '_')
  async function* parts() {
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${shown}"\r\n\r\n`)
    yield* bytes
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length,
    stream: Object.assign(parts(), { destroy: (error: Error) => stream.destroy(error) }),
  }
}
