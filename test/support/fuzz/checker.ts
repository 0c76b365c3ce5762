import { Ajv2020 } from 'ajv/dist/2020.js'
import { errorCodes } from '../../../shared/errors.js'
import { pointer } from '../conformance.js'
import type { FuzzedOperation, Schema } from './operations.js'

export interface FuzzAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

const documentId = 'https://parley.invalid/fuzzed.json'
const mostProblems = 3

/** Compares answers with an OpenAPI document. */
export class Checker {
  private readonly ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
  })

  constructor(document: Schema) {
    this.ajv.addSchema({ $id: documentId, ...document })
  }

  /** What is wrong with an answer; undefined: the document has no such operation. */
  problemsOf(operation: FuzzedOperation | undefined, answer: FuzzAnswer): string[] {
    if (answer.status >= 500) return [`status ${answer.status}: ${answer.text.slice(0, 500)}`]
    if (!operation) return this.problemsOfUnknown(answer)
    const response = operation.responses[answer.status]
    if (!response) return [`${operation.id} has no status ${answer.status}: ${answer.text.slice(0, 500)}`]
    // A page, for a request that no JSON client sends.
    if (!response.content) return []
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', answer.status]
    return this.problemsOfBody([...place, 'content', 'application/json', 'schema'], answer)
  }

  private problemsOfUnknown({ status, ...answer }: FuzzAnswer): string[] {
    const code = status === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
    if (status !== errorCodes[code].status) return [`status ${status} of what is not there: ${answer.text}`]
    return this.problemsOfBody(['components', 'schemas', code], { status, ...answer })
  }

  private problemsOfBody(place: readonly (string | number)[], { contentType, text }: FuzzAnswer): string[] {
    if (contentType !== 'application/json') return [`a body of type ${contentType}: ${text.slice(0, 200)}`]
    const validate = this.ajv.getSchema(`${documentId}#/${place.map(name => pointer(String(name))).join('/')}`)
    if (!validate) return [`the document has no ${place.join(' ')}`]
    if (validate(JSON.parse(text))) return []
    const errors = (validate.errors ?? []).slice(0, mostProblems)
    return errors.map(
      ({ instancePath, message, params }) =>
        `${instancePath || '/'} ${message} ${JSON.stringify(params)}: ${text.slice(0, 500)}`,
    )
  }
}
