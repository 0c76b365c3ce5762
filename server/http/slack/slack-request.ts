import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { ApiKeys } from '../../auth/api-key.js'
import { readParameters } from '../../params/read-parameters.js'
import type { UserRow } from '../../store/users/users.js'
import { BodyRequest } from '../body-request.js'
import { clientName } from '../client-name.js'
import type { Connections } from '../connections.js'
import { SlackError } from './slack-error.js'

export const folder = '/slack/api/'

/** A native request of a program that was made for Slack. `receive` comes before everything that reads the arguments. */
export class SlackRequest extends BodyRequest {
  readonly client: string
  readonly requestId: string
  /** The name of the method. */
  readonly called: string
  /** Of the body. */
  readonly bytes: number
  args: ReadonlyMap<string, unknown> = new Map()
  private readonly rawQuery: string
  private readonly encoding: string

  constructor(connections: Connections, res: HttpResponse, req: HttpRequest) {
    super(connections, res, req)
    this.client = clientName(req.getHeader('user-agent'))
    this.requestId = connections.ids.text(connections.ids.next(), '')
    this.called = (this.path ?? '').slice(folder.length)
    this.bytes = Number(req.getHeader('content-length')) || 0
    this.rawQuery = req.getQuery() ?? ''
    this.encoding = req.getHeader('content-encoding')
  }

  /** Reads the arguments. @throws {ApiError} as `readParameters`; REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  async receive(): Promise<void> {
    const body = await this.received
    this.args = readParameters(this.rawQuery, { type: this.contentType, encoding: this.encoding, body })
  }

  /** What Slack calls a token: an API key, with or without one of Slack's prefixes. Undefined: there is none. */
  get token(): { readonly kind: string; readonly key: string } | undefined {
    const given = /^bearer +(\S+)$/i.exec(this.authorization)?.[1] ?? this.args.get('token')
    if (typeof given !== 'string') return undefined
    const [, kind = '', key = ''] = /^(?:(xoxb|xoxp|xapp)-)?(.*)$/s.exec(given) ?? []
    return { kind, key }
  }

  /** @throws {SlackError} not_authed; {ApiError} INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED, RATE_LIMIT_HIT */
  override identify(keys: ApiKeys): Promise<UserRow> {
    const { token } = this
    if (!token) {
      this.charge(null)
      throw new SlackError('not_authed')
    }
    return keys.ofKey(token.key, this.charges)
  }
}
