import { basic, type Credentials, formEncode, type Params } from '../../support/http.js'
import { type Decoded, decodedAnswer, decodedEvent, decodedRegister } from './decoder.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
type Body = any

/** A client that reads an answer or an event only if it knows each of its fields, and takes null only where it expects it. */
export class StrictClient {
  /** All that it has read. */
  readonly decoded: Decoded[] = []
  queueId = ''
  private lastEventId = -1

  constructor(
    private readonly url: string,
    private readonly who: Credentials,
  ) {}

  /** Calls an operation, named by method and path pattern. @throws if the answer is no success or has what the client does not know */
  async ask(operation: string, params: Params = {}): Promise<Body> {
    const rest = { ...params }
    const [method = '', pattern = ''] = operation.split(' ')
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name])
      delete rest[name]
      return encodeURIComponent(value)
    })
    return this.take(decodedAnswer(operation, await this.send(method, path, formEncode(rest))))
  }

  async upload(name: string, text: string): Promise<Body> {
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    return this.take(decodedAnswer('POST /user_uploads', await this.send('POST', '/user_uploads', form)))
  }

  async register(params: Params): Promise<Body> {
    const body = this.take(decodedRegister(await this.send('POST', '/register', formEncode(params))))
    this.queueId = body.queue_id
    this.lastEventId = body.last_event_id
    return body
  }

  /** Reads events until one satisfies `isLast`. */
  async read(isLast: (event: Body) => boolean): Promise<Body[]> {
    const read: Body[] = []
    for (;;) {
      const params = formEncode({ queue_id: this.queueId, last_event_id: this.lastEventId })
      const { events } = await this.send('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        read.push(this.take(decodedEvent(event)))
      }
      if (events.some(isLast)) return read
    }
  }

  private take(decoded: Decoded): Body {
    const problems = decoded.problems(decoded.body)
    if (problems.length > 0) throw new Error(`${decoded.what}: ${problems.join('; ')}`)
    this.decoded.push(decoded)
    return decoded.body
  }

  private async send(method: string, path: string, sent: URLSearchParams | FormData): Promise<Body> {
    const inQuery = method === 'GET'
    const answer = await fetch(`${this.url}/api/v1${path}${inQuery ? `?${sent}` : ''}`, {
      method,
      headers: { Authorization: basic(this.who), 'User-Agent': 'StrictClient/1.0' },
      ...(inQuery ? {} : { body: sent }),
    })
    const body = (await answer.json()) as Body
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(body)}`)
    return body
  }
}
