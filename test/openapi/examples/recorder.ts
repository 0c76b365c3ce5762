import type { Example } from '../../../server/openapi/examples.js'
import { ApiError } from '../../../shared/errors.js'
import { routeOf } from '../../support/conformance.js'
import { type GivenFile, sendFiles } from '../../support/files.js'
import { type Answer, Api, formEncode, type Params } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { presentable } from './presentable.js'

/** Sends the requests of the examples, and keeps the first success of each operation as its example. */
export class Recorder {
  readonly examples = new Map<string, Example>()

  as(who: Person): RecordedPerson {
    return new RecordedPerson(who, this)
  }

  /** @throws {Error} when the request is refused. */
  async record(method: string, path: string, parameters: Params, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send()
    const { status, body } = answer
    const route = routeOf(method, path)
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    if (!(route instanceof ApiError) && !this.examples.has(route.operation)) {
      this.examples.set(route.operation, presentable({ path, parameters, answer: body }) as Example)
    }
    return answer
  }
}

/** A person whose requests must succeed, and are recorded. */
export class RecordedPerson extends Api {
  readonly id: number
  readonly email: string

  constructor(
    readonly person: Person,
    private readonly recorder: Recorder,
  ) {
    super(person.url, person.who, 'ExampleClient/1.0')
    this.id = person.id
    this.email = person.email
  }

  override call(method: string, path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
    return this.recorder.record(method, path, params, () => super.call(method, path, params, signal))
  }

  async sendFile(path: string, file: GivenFile, fields: Params = {}): Promise<Answer['body']> {
    const form = { files: [file], fields: Object.fromEntries(formEncode(fields)) }
    const send = () => sendFiles(this.url, this.who, path, form)
    return (await this.recorder.record('POST', path, fields, send)).body
  }
}
