import { Ajv2020 } from 'ajv/dist/2020.js'
import { type ErrorCode, errorCodes } from '../../../shared/errors.js'
import { pointer } from '../conformance.js'
import type { FuzzedOperation, Schema } from './operations.js'

export interface FuzzAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

const documentId = 'https://parley.invalid/fuzzed.json'
const mostProblems = 3
const unknown: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TOO_LARGE']
// The form of a POST may name another method, so the caller and the body come first (docs/protocol/conventions.md#method-override).
const beforeOverride: readonly ErrorCode[] = ['UNAUTHORIZED', 'BAD_REQUEST', 'INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE']

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
  problemsOf(operation: FuzzedOperation | undefined, answer: FuzzAnswer, method = 'GET'): string[] {
    if (answer.status >= 500) return [`status ${answer.status}: ${answer.text.slice(0, 500)}`]
    if (!operation) return this.problemsOfUnknown(answer, method)
    const response = operation.responses[answer.status]
    if (!response) return [`${operation.id} has no status ${answer.status}: ${answer.text.slice(0, 500)}`]
    // A page, for a request that no JSON client sends.
    if (!response.content) return []
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', answer.status]
    return this.problemsOfBody([...place, 'content', 'application/json', 'schema'], answer)
  }

  private problemsOfUnknown(answer: FuzzAnswer, method: string): string[] {
    const codes: readonly ErrorCode[] = method === 'POST' ? [...unknown, ...beforeOverride] : unknown
    const found = codes.find(code => errorCodes[code].status === answer.status && answer.text.includes(`"${code}"`))
    if (!found) return [`status ${answer.status} of what is not there: ${answer.text.slice(0, 500)}`]
    return this.problemsOfBody(['components', 'schemas', found], answer)
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
