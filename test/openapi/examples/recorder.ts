import type { Example } from '../../../server/openapi/examples.js'
import { ApiError } from '../../../shared/errors.js'
import { routeOf } from '../../support/conformance.js'
import { type GivenFile, sendFiles } from '../../support/files.js'
import { type Answer, Api, formEncode, type Params } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { presentable } from './presentable.js'

/** Keeps the first success of each operation as its example. */
export class Recorder {
  readonly examples = new Map<string, Example>()

  as(who: Person): RecordedPerson {
    return new RecordedPerson(who, this)
  }

  keep(method: string, path: string, parameters: Params, { status, body }: Answer): void {
    const route = routeOf(method, path)
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    if (route instanceof ApiError || this.examples.has(route.operation)) return
    this.examples.set(route.operation, presentable({ path, parameters, answer: body }) as Example)
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

  override async call(method: string, path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
    const answer = await super.call(method, path, params, signal)
    this.recorder.keep(method, path, params, answer)
    return answer
  }

  async sendFile(path: string, file: GivenFile, fields: Params = {}): Promise<Answer['body']> {
    const answer = await sendFiles(this.url, this.who, path, {
      files: [file],
      fields: Object.fromEntries(formEncode(fields)),
    })
    this.recorder.keep('POST', path, fields, answer)
    return answer.body
  }
}
