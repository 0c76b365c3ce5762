import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { areas, routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { operationOf, Router } from '../../server/http/router.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { shapeOf } from '../../server/openapi/paths.js'
import { refusalsOf } from '../../server/openapi/refusals.js'
import { eventSchemaName } from '../../server/openapi/resources.js'
import { ApiError, type ErrorCode } from '../../shared/errors.js'
import { eventDefs } from '../../shared/events/index.js'

/** A request and its answer, to validate with the OpenAPI document. */
interface Exchanged {
  readonly method: string
  /** Below /api/v1, as it was sent. */
  readonly path: string
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  readonly body: any
}

// Errors that the server may answer before it has found the operation.
const beforeRouting: readonly ErrorCode[] = [
  'REQUEST_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'INTERNAL_ERROR',
  'SERVER_NOT_READY',
]
const documentId = 'https://parley.invalid/openapi.json'
const router = new Router(routes)
const documents = new Map<string, Document>()

/** The operation of a request; without one, the error that the server has to answer. */
export function routeOf(method: string, path: string): Route | ApiError {
  try {
    const [bare = ''] = path.split('?')
    return operationOf(router.find(bare), method === 'HEAD' ? 'GET' : method).route
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Validates an answer with the OpenAPI document. Returns sentences; an empty list means that the answer conforms. */
export function checkAnswer({ method, path, status, body }: Exchanged): string[] {
  if (body === undefined || method === 'OPTIONS') return []
  const route = routeOf(method, path)
  const document = documentFor(body)
  return status < 400 ? document.problemsOfSuccess(route, body) : document.problemsOfError(route, status, body)
}

/** Validates an event with the schema of its definition, as the OpenAPI document shows it. */
export function checkEventSchema(event: unknown): string[] {
  return documentFor({}).problemsOfEvent(event as { type: string; op?: string })
}

/** The names of some fields contain the server's brand. */
function documentFor(body: Record<string, unknown>): Document {
  const [, brand = 'service'] = /^(\w+)_feature_level$/m.exec(Object.keys(body).join('\n')) ?? []
  const document = documents.get(brand) ?? new Document(brand)
  documents.set(brand, document)
  return document
}

class Document {
  // Not validated here for speed; test/laws/openapi.test.ts validates the document.
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
    const status = route.redirects ? 302 : 200
    const place = `paths/${pointer(path)}/${route.method.toLowerCase()}/responses/${status}/content/application~1json/schema`
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

  problemsOfEvent(event: { type: string; op?: string }): string[] {
    const name = [`${event.type}/${event.op}`, event.type].find(one => eventDefs.has(one))
    return name ? this.check(`components/schemas/${eventSchemaName(name)}`, event) : [`no event ${event.type}`]
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

export const pointer = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~')
