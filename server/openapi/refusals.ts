import { type ErrorCode, errorCodes } from '../../shared/errors.js'
import type { Route } from '../api/route.js'
import { callerOf } from './callers.js'
import { errorFields, errorMeanings } from './error-meanings.js'
import type { JsonSchema } from './json-schema.js'
import { parametersOf, pathNames } from './parameters.js'

/** The error codes of an operation by HTTP status: its own, and those that the server returns for any operation. */
export function refusalsOf(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, Set<ErrorCode>>()
  const add = (code: ErrorCode, status: number = errorCodes[code].status) => {
    const codes = byStatus.get(status) ?? new Set()
    byStatus.set(status, codes.add(code))
  }
  for (const error of route.errors) {
    if (typeof error === 'string') add(error)
    else add(...(error as readonly [ErrorCode, number]))
  }
  for (const code of givenByServer(route)) add(code)
  return new Map([...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]))
}

const refusalsOfBody: readonly ErrorCode[] = [
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

function givenByServer(route: Route): ErrorCode[] {
  const refusal = callerOf(route.allow)?.refusal
  return [
    ...(route.allow === 'anyone' ? [] : (['UNAUTHORIZED'] as const)),
    ...(refusal ? [refusal] : []),
    // Every operation: the query, the path or the body may be impossible to decode.
    'BAD_REQUEST',
    ...(parametersOf(route).some(({ place, required }) => required && place !== 'path')
      ? (['REQUEST_VARIABLE_MISSING'] as const)
      : []),
    ...(route.method === 'GET' ? [] : refusalsOfBody),
    ...(route.creates ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENT_ANSWER_NOT_STORED'] as const) : []),
    // A part of the path does not have the form that the operation needs.
    ...(pathNames(route.path).length > 0 ? (['NOT_FOUND'] as const) : []),
    'METHOD_NOT_ALLOWED',
    'RATE_LIMIT_HIT',
    'INTERNAL_ERROR',
    'SERVER_NOT_READY',
  ]
}

const headTooLarge = 'The line of the request and its headers have more than 64 KiB. The answer is a page, not JSON.'

/** The error responses of one operation. */
export function errorResponses(route: Route): Record<string, unknown> {
  const responses = [...refusalsOf(route)].map(([status, codes]) => [String(status), errorResponse(codes)])
  return Object.fromEntries([...responses, ['431', { description: headTooLarge }]])
}

const reference = (code: ErrorCode) => `#/components/schemas/${code}`

function errorResponse(codes: readonly ErrorCode[]) {
  const [only, ...others] = codes
  const schema =
    only && others.length === 0
      ? { $ref: reference(only) }
      : {
          oneOf: codes.map(code => ({ $ref: reference(code) })),
          discriminator: {
            propertyName: 'code',
            mapping: Object.fromEntries(codes.map(code => [code, reference(code)])),
          },
        }
  return {
    description: codes.map(code => `\`${code}\`: ${errorMeanings[code]}`).join('\n\n'),
    ...headersOf(codes),
    content: { 'application/json': { schema } },
  }
}

const headers = {
  UNAUTHORIZED: { 'WWW-Authenticate': { description: 'Basic.', schema: { type: 'string' } } },
  RATE_LIMIT_HIT: { 'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer' } } },
  INTERNAL_ERROR: { 'X-Request-Id': { description: 'Names the entry in the log.', schema: { type: 'string' } } },
} as const

function headersOf(codes: readonly ErrorCode[]): { headers?: Record<string, unknown> } {
  const found = codes.flatMap(code => (code in headers ? [headers[code as keyof typeof headers]] : []))
  return found.length > 0 ? { headers: Object.assign({}, ...found) } : {}
}

/** Error codes with exactly one of their fields: the one by which the caller named the object. */
const alternatives: ReadonlySet<ErrorCode> = new Set(['STREAM_DOES_NOT_EXIST'])

/** The schema of each error body; open, because operations may add fields. */
export function errorSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    (Object.keys(errorCodes) as ErrorCode[]).map(code => {
      const { fields, status } = errorCodes[code]
      const extra = Object.fromEntries(fields.map(name => [name, errorFields[name] ?? {}]))
      const schema = {
        type: 'object',
        description: `HTTP ${status}. ${errorMeanings[code]}`,
        properties: {
          result: { const: 'error' },
          msg: { type: 'string', description: 'For people; its wording may change.' },
          code: { const: code },
          ...extra,
        },
        required: ['result', 'msg', 'code', ...(alternatives.has(code) ? [] : fields)],
        ...(alternatives.has(code) && {
          anyOf: fields.map(name => ({ properties: { [name]: extra[name] }, required: [name] })),
        }),
      }
      return [code, schema]
    }),
  )
}
