import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { areas, routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { operationOf, Router } from '../../server/net/router.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { shapeOf } from '../../server/openapi/paths.js'
import { refusalsOf } from '../../server/openapi/refusals.js'
import { ApiError, type ErrorCode } from '../../shared/errors.js'

/** What was asked and what came back, as the OpenAPI document sees it. */
export interface Exchanged {
  readonly method: string
  /** Below /api/v1, as it was sent. */
  readonly path: string
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  readonly body: any
}

// What the server may refuse a body with before it looks where the request goes.
const beforeRouting: readonly ErrorCode[] = [
  'REQUEST_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'INTERNAL_ERROR',
  'SERVER_NOT_READY',
]
const documentId = 'https://parley.invalid/openapi.json'
const router = new Router(routes)
const documents = new Map<string, Document>()

/** The operation of a request; where there is none, the error that the server has to answer. */
export function routeOf(method: string, path: string): Route | ApiError {
  try {
    const [bare = ''] = path.split('?')
    return operationOf(router.find(bare), method === 'HEAD' ? 'GET' : method).route
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Holds an answer against the OpenAPI document. Sentences; none means that the document tells the truth about it. */
export function checkAnswer({ method, path, status, body }: Exchanged): string[] {
  if (body === undefined || method === 'OPTIONS') return []
  const route = routeOf(method, path)
  const document = documentFor(body)
  return status === 200 ? document.problemsOfSuccess(route, body) : document.problemsOfError(route, status, body)
}

/** The brand of the server shows in the names of some fields. */
function documentFor(body: Record<string, unknown>): Document {
  const [, brand = 'service'] = /^(\w+)_feature_level$/m.exec(Object.keys(body).join('\n')) ?? []
  const document = documents.get(brand) ?? new Document(brand)
  documents.set(brand, document)
  return document
}

class Document {
  // Each test file compiles what it needs: that is to be quick, and test/laws/openapi.test.ts looks whether it is valid.
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  private readonly pathOfShape: ReadonlyMap<string, string>

  constructor(brand: string) {
    const document = openApiDocument(areas, { brand, url: '/api/v1' })
    this.ajv.addSchema({ $id: documentId, ...document })
    this.pathOfShape = new Map(Object.keys(document.paths as object).map(path => [shapeOf(path), path]))
  }

  problemsOfSuccess(route: Route | ApiError, body: unknown): string[] {
    if (route instanceof ApiError) return ['a success of what is not there']
    const path = this.pathOfShape.get(shapeOf(route.path)) ?? ''
    const place = `paths/${pointer(path)}/${route.method.toLowerCase()}/responses/200/content/application~1json/schema`
    return this.check(place, body).map(problem => `${route.operation}: the field ${problem}`)
  }

  problemsOfError(route: Route | ApiError, status: number, body: { code: ErrorCode }): string[] {
    const { code } = body
    const problems = this.check(`components/schemas/${code}`, body)
    if (route instanceof ApiError) {
      const isExpected = (code === route.code && status === route.status) || beforeRouting.includes(code)
      return isExpected ? problems : [`there is no such operation, but the server answers ${status} ${code}`]
    }
    if (!refusalsOf(route).get(status)?.includes(code)) {
      problems.push(`${route.operation} does not declare the error ${code} with status ${status}`)
    }
    return problems
  }

  private check(place: string, value: unknown): string[] {
    const validate = this.ajv.getSchema(`${documentId}#/${place}`)
    return validate ? problemsOf(validate, value) : [`the document has no ${place}`]
  }
}

const problemsOf = (validate: ValidateFunction, value: unknown): string[] =>
  validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
      )

const pointer = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~')
