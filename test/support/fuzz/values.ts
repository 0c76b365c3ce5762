import fc from 'fast-check'
import type { Schema } from './operations.js'
import { resolved } from './parameters.js'

const mostItems = 4
const mostLetters = 60
const deepest = 4
// The longest text and list at a bound that a request carries.
const longest = 20_000

const texts = [
  'design',
  'Ada',
  'newest',
  'é',
  '日本語',
  '👩‍👩‍👧',
  'שלום',
  'İ',
  '@**Ada**',
  '#**design>x**',
  '/me',
  '1',
  ' x ',
]
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  '__proto__',
  '%00',
  '../..',
  '"',
  '{',
  '[',
  'null',
  'true',
  '\r\n',
  '￿',
]

/** What few schemas accept: other types, numbers at the ends of their types, texts that parsers stumble over. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { id: 1 }, ['x'], [1, 1]),
  fc.constantFrom(-1, 0, 1.5, 1e308, -0.1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63)),
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 1000, max: 30_000 }).map(length => 'x'.repeat(length)),
  fc.integer({ min: 10, max: 2000 }).map(depth => '['.repeat(depth)),
)

/** Values of a schema: most follow it, often at its bounds; in a few, a part does not. */
export function valuesOf(schema: Schema, document: Schema, depth = 0): fc.Arbitrary<unknown> {
  const usual = usualOf(resolved(schema, document), document, depth)
  return fc.oneof({ weight: depth === 0 ? 9 : 19, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

function usualOf(schema: Schema, document: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > deepest) return odd
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices)
    return fc.oneof(
      ...choices.map(choice => valuesOf({ ...schema, anyOf: undefined, oneOf: undefined, ...choice }, document, depth)),
    )
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const types = [schema.type ?? 'object'].flat() as string[]
  return fc.oneof(...types.map(type => ofType(type, schema, document, depth)))
}

function ofType(type: string, schema: Schema, document: Schema, depth: number): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return integers(schema)
  if (type === 'number') return fc.oneof(integers(schema), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (type === 'string') return textsOf(schema)
  return type === 'array' ? listsOf(schema, document, depth) : objectsOf(schema, document, depth)
}

/** Small ones are ids of an organization, but not those that its honest requests name. */
function integers({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): fc.Arbitrary<number> {
  const bounds = [minimum - 1, minimum, maximum, maximum + 1]
  const small = fc.integer({ min: Math.max(minimum, 0), max: Math.max(minimum, Math.min(maximum, 50)) })
  return fc.oneof({ weight: 4, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom(...bounds) })
}

function textsOf({ minLength = 0, maxLength, pattern }: Schema): fc.Arbitrary<string> {
  const fitting = pattern ? fc.stringMatching(new RegExp(pattern, 'u')) : fc.constantFrom(...texts)
  const anyText = fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength ?? mostLetters, mostLetters)),
  })
  const atBounds = [minLength - 1, minLength, maxLength ?? 100, (maxLength ?? 100) + 1]
    .filter(length => length >= 0 && length <= longest)
    .map(length => 'é'.repeat(length))
  return fc.oneof(
    { weight: 4, arbitrary: fitting },
    { weight: 2, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constantFrom(...atBounds) },
  )
}

function listsOf(schema: Schema, document: Schema, depth: number): fc.Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = longest } = schema
  const item = valuesOf(items, document, depth + 1)
  const short = fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, mostItems)) })
  const most = Math.min(maxItems, longest / 10)
  const long = fc.tuple(item, fc.constantFrom(most, most + 1)).map(([one, count]) => Array(count).fill(one))
  return fc.oneof({ weight: 15, arbitrary: short }, { weight: 1, arbitrary: long })
}

function objectsOf(schema: Schema, document: Schema, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.fromEntries(
    Object.entries(properties as Schema).map(([name, member]) => [name, valuesOf(member, document, depth + 1)]),
  )
  const known = fc.record(members, { requiredKeys: required.filter((name: string) => name in members) })
  if (additionalProperties === false) return known
  const more = typeof additionalProperties === 'object' ? valuesOf(additionalProperties, document, depth + 1) : odd
  const others = fc.dictionary(fc.constantFrom(...texts, ...oddTexts), more, { maxKeys: mostItems })
  const isMap = Object.keys(members).length === 0
  return isMap
    ? others
    : fc.oneof(
        { weight: 9, arbitrary: known },
        { weight: 1, arbitrary: fc.tuple(known, others).map(([a, b]) => ({ ...b, ...a })) },
      )
}
