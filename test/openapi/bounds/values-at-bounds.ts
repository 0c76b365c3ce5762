import type { JsonSchema } from '../../../server/openapi/json-schema.js'
import { listOf, matching, objectOf, sampleOf } from './samples.js'

/** A value at a bound of a schema, or one step beyond it. */
interface ValueAtBound {
  /** The place of the bound in the value, and its keyword: `[].stream_id minimum`. */
  readonly bound: string
  readonly value: unknown
  /** Null: the document does not say it. */
  readonly isWithin: boolean | null
}

// Of more characters, a text of such that have two UTF-16 units each would be larger than a body.
const mostPairs = 10_000
const fewMatches = 3
/** How the name of a bound ends whose value has half of a surrogate pair, which only JSON can carry. */
export const halfOfPair = 'half of a pair'
const oddTexts = ['', ' ', 'x', '#', '@', 'é', '1', '-', '\n']

/** Values at each bound of a schema and of the schemas in it, the rest of the value as the schema allows it. */
export function valuesAtBounds(schema: JsonSchema): ValueAtBound[] {
  const { anyOf, oneOf, ...rest } = schema
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices) return choices.flatMap(choice => valuesAtBounds({ ...rest, ...choice }))
  if (schema.enum || 'const' in schema) return []
  return [schema.type].flat().flatMap(type => {
    if (type === 'integer' || type === 'number') return ofNumber(schema)
    if (type === 'string') return ofText(schema)
    if (type === 'array') return ofList(schema)
    return type === 'object' ? ofObject(schema) : []
  })
}

const within = (bound: string, value: unknown): ValueAtBound => ({ bound, value, isWithin: true })
const beyond = (bound: string, value: unknown): ValueAtBound => ({ bound, value, isWithin: false })
const either = (bound: string, value: unknown): ValueAtBound => ({ bound, value, isWithin: null })

function ofNumber({ minimum, maximum }: JsonSchema): ValueAtBound[] {
  return [
    ...at(minimum, least => [within('minimum', least), beyond('minimum', least - 1)]),
    ...at(maximum, most => [within('maximum', most), beyond('maximum', most + 1)]),
  ]
}

function ofText(schema: JsonSchema): ValueAtBound[] {
  const fill = fillings.find(fill => isMatching(schema, fill(Number(schema.maxLength ?? schema.minLength ?? 1))))
  const lengths = fill
    ? [
        ...at(schema.minLength, least => [within('minLength', fill(least)), beyond('minLength', fill(least - 1))]),
        ...at(schema.maxLength, most => [
          within('maxLength', fill(most)),
          beyond('maxLength', fill(most + 1)),
          ...(most <= mostPairs && !schema.pattern ? [within('maxLength in pairs', '🅰'.repeat(most))] : []),
        ]),
      ]
    : []
  const unstorable = [either('null byte', 'q7xz0vkw\0'), either(halfOfPair, 'q7xz0vkw\ud83d')]
  if (!schema.pattern) return [...lengths, ...unstorable]
  const other = oddTexts.find(text => !isMatching(schema, text) && text.length >= Number(schema.minLength ?? 0))
  const matches = matching(schema, fewMatches).map(text => within('pattern', text))
  return [...lengths, ...unstorable, ...matches, ...(other === undefined ? [] : [beyond('pattern', other)])]
}

const isMatching = ({ pattern }: JsonSchema, text: string): boolean =>
  pattern === undefined || new RegExp(String(pattern), 'u').test(text)

/** Texts of one length, for different patterns. */
const fillings: readonly ((length: number) => string)[] = [
  // Hard to guess, for passwords.
  length => 'q7xz0vkw'.repeat(Math.ceil(length / 8)).slice(0, length),
  length => '1'.repeat(length),
  length => `${'x'.repeat(Math.max(length - 13, 0))}@test.example`.slice(-length),
]

function ofList(schema: JsonSchema): ValueAtBound[] {
  const { items = {}, minItems, maxItems } = schema
  const rest = listOf(schema, Math.max(Number(minItems ?? 0), 1)).slice(1)
  return [
    ...at(minItems, least => [
      within('minItems', listOf(schema, least)),
      ...(least > 0 ? [beyond('minItems', listOf(schema, least - 1))] : []),
    ]),
    ...at(maxItems, most => [within('maxItems', listOf(schema, most)), beyond('maxItems', listOf(schema, most + 1))]),
    ...inside('[]', valuesAtBounds(items as JsonSchema), value => [value, ...rest]),
  ]
}

function ofObject(schema: JsonSchema): ValueAtBound[] {
  const { properties = {}, additionalProperties, maxProperties, propertyNames = {} } = schema
  const whole = objectOf(schema)
  const members = Object.entries(properties as Record<string, JsonSchema>)
  const ofKeys = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {}
  return [
    ...at(maxProperties, most => [
      within('maxProperties', objectOf(schema, most - Object.keys(whole).length)),
      beyond('maxProperties', objectOf(schema, most + 1 - Object.keys(whole).length)),
    ]),
    ...inside('.*', valuesAtBounds(propertyNames as JsonSchema), key => ({
      ...whole,
      [String(key)]: sampleOf(ofKeys),
    })),
    ...(additionalProperties === false ? [beyond('additionalProperties', { ...whole, surplus: 1 })] : []),
    ...members.flatMap(([name, member]) =>
      inside(`.${name}`, valuesAtBounds(member), value => ({ ...whole, [name]: value })),
    ),
    ...inside('.*', valuesAtBounds(ofKeys), value => ({ ...whole, key: value })),
    ...((schema.required ?? []) as string[]).map(name => {
      const { [name]: _, ...others } = whole as Record<string, unknown>
      return beyond(`.${name} required`, others)
    }),
  ]
}

const inside = (place: string, values: readonly ValueAtBound[], wrap: (value: unknown) => unknown): ValueAtBound[] =>
  values.map(({ bound, value, isWithin }) => ({
    bound: `${place}${/^[[.]/.test(bound) ? '' : ' '}${bound}`,
    value: wrap(value),
    isWithin,
  }))

const at = (bound: unknown, values: (bound: number) => ValueAtBound[]): ValueAtBound[] =>
  typeof bound === 'number' ? values(bound) : []
