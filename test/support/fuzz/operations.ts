import { parametersIn } from './parameters.js'

// biome-ignore lint/suspicious/noExplicitAny: a document of others has every shape
export type Schema = Record<string, any>

export interface FuzzedParameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'form'
  readonly required: boolean
  readonly schema: Schema
}

/** A value of an answer that a parameter of another operation takes. */
export interface Link {
  readonly parameter: string
  /** Names and indexes from the root of the answer. */
  readonly keys: readonly string[]
}

export interface FuzzedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly FuzzedParameter[]
  readonly takesFile: boolean
  readonly links: readonly Link[]
  /** By status. */
  readonly responses: Readonly<Record<string, Schema>>
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: Schema): FuzzedOperation[] {
  return Object.entries(document.paths as Schema).flatMap(([path, place]) =>
    Object.entries(place as Schema).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: parametersIn(operation, document),
      takesFile: 'multipart/form-data' in (operation.requestBody?.content ?? {}),
      links: linksIn(operation),
      responses: operation.responses,
    })),
  )
}

function linksIn({ responses }: Schema): Link[] {
  const links = Object.values((responses[200]?.links ?? {}) as Schema)
  const found = links.flatMap(({ parameters, requestBody }) => Object.entries(parameters ?? requestBody ?? {}))
  return [...new Map(found)].map(([parameter, expression]) => ({
    parameter,
    keys: String(expression)
      .replace(/^\{?\$response\.body#\/|\}$/g, '')
      .split('/'),
  }))
}

/** The operation that the document has for a request; undefined: it has none, so the server must refuse the request. */
export function operationAt(
  operations: readonly FuzzedOperation[],
  method: string,
  path: string,
): FuzzedOperation | undefined {
  const fitting = operations.filter(operation => patternOf(operation.path).test(path))
  // The last parameter of a path may have slashes, so the path with the most fixed segments is meant.
  const most = Math.max(...fitting.map(operation => fixedSegments(operation.path)))
  return fitting.find(operation => operation.method === method && fixedSegments(operation.path) === most)
}

const fixedSegments = (path: string): number => path.split('/').filter(segment => !segment.startsWith('{')).length
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '.+?')}$`, 's')
