import fc from 'fast-check'
import type { FuzzedOperation, Schema } from './operations.js'
import { odd, valuesOf } from './values.js'

/** How one parameter differs from an honest request. */
export type Change =
  | { readonly kind: 'set' | 'repeat'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'omit'; readonly name: string }

export const callers = ['owner', 'administrator', 'member', 'guest', 'bot', 'anonymous', 'wrong key'] as const
export type CallerName = (typeof callers)[number]

const encodings = ['form', 'json', 'query', 'multipart', 'text', 'broken json', 'no type', 'no body'] as const
export type Encoding = (typeof encodings)[number]

/** One request, as it differs from an honest one. */
export interface FuzzedRequest {
  readonly caller: CallerName
  readonly changes: readonly Change[]
  readonly encoding: Encoding
  readonly method: string
  /** Bytes of the file, for an operation that takes one. */
  readonly file: 'picture' | 'text' | 'empty' | 'two' | 'none'
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Requests to an operation: about half of them honest but for values that its schema accepts. */
export function requestsTo(operation: FuzzedOperation, document: Schema): fc.Arbitrary<FuzzedRequest> {
  const { parameters, method, path } = operation
  // Another operation of the path could end what its honest requests are about.
  const free = methods.filter(one => !(one.toLowerCase() in document.paths[path]))
  const weighted = <Value>(usual: Value, weight: number, others: readonly Value[]) =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
  return fc.record({
    caller: weighted<CallerName>('owner', 2, callers),
    changes: fc.array(changesOf(parameters, document), { maxLength: 4, size: 'max' }),
    encoding: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<Encoding>('form', 'json') },
      { weight: 1, arbitrary: fc.constantFrom(...encodings) },
    ),
    method: weighted(method, 30, free.length > 0 ? free : [method]),
    file: weighted<FuzzedRequest['file']>('picture', 3, ['text', 'empty', 'two', 'none']),
  })
}

function changesOf(parameters: FuzzedOperation['parameters'], document: Schema): fc.Arbitrary<Change> {
  const unknown = fc.record({ kind: fc.constant('set' as const), name: fc.constant('no_such_parameter'), value: odd })
  if (parameters.length === 0) return unknown
  const toOne = fc.oneof(
    ...parameters.map(({ name, place, schema }) => {
      const value = valuesOf(schema, document)
      const set = fc.record({ kind: fc.constant('set' as const), name: fc.constant(name), value })
      if (place === 'path') return set
      return fc.oneof(
        { weight: 12, arbitrary: set },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('omit' as const), name: fc.constant(name) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), name: fc.constant(name), value }) },
      )
    }),
  )
  return fc.oneof({ weight: 20, arbitrary: toOne }, { weight: 1, arbitrary: unknown })
}
