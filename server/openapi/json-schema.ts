/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A schema that zod made, without redundant keywords and in the form that generators take. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(
    Object.entries(value)
      .filter(([keyword, of]) => !isNoise(keyword, of))
      .map(([keyword, of]) => [keyword, keyword === 'default' || keyword === 'enum' ? of : tidy(of)]),
  )
  return oneType(orNull(asList(asObject(schema))))
}

/** An object with a value for each of some words becomes one with these members. */
function asObject(schema: Record<string, unknown>): Record<string, unknown> {
  const { propertyNames, additionalProperties, ...rest } = schema
  const words = (propertyNames as JsonSchema | undefined)?.enum
  if (!Array.isArray(words) || !Array.isArray(schema.required)) return schema
  return {
    ...rest,
    properties: Object.fromEntries(words.map(word => [word, additionalProperties])),
    additionalProperties: false,
  }
}

/** A list with a schema for each place becomes a list of any of them: many generators know no other lists. */
function asList({ prefixItems, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(prefixItems)) return schema
  const choices = [...new Set(prefixItems.map(item => JSON.stringify(item)))].map(
    text => JSON.parse(text) as JsonSchema,
  )
  const { minItems = prefixItems.length, maxItems = prefixItems.length } = schema
  return { ...schema, items: choices.length === 1 ? choices[0] : { anyOf: choices }, minItems, maxItems }
}

/** Generators take `string or null` from a list of types, and no other list. */
function oneType({ type, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(type) || (type.length === 2 && type[1] === 'null'))
    return type === undefined ? schema : { type, ...schema }
  return { ...schema, anyOf: type.map(one => ({ type: one })) }
}

/** Zod's own bounds of integers and its schema ids carry no information for the reader. */
function isNoise(keyword: string, value: unknown): boolean {
  if (keyword === '$schema' || keyword === '$id') return true
  if (keyword === 'minimum') return value === Number.MIN_SAFE_INTEGER
  if (keyword === 'maximum') return value === Number.MAX_SAFE_INTEGER
  return keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}'
}

/** Writes `string or null` as one schema with two types instead of `anyOf`. */
function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, other] = anyOf as Record<string, unknown>[]
  if (!one || JSON.stringify(other) !== '{"type":"null"}') return schema
  if (typeof one.type !== 'string' || 'enum' in one || 'const' in one) return schema
  return { ...one, ...rest, type: [one.type, 'null'] }
}
