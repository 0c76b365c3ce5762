import { z } from 'zod'

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Named = readonly (readonly [name: string, schema: z.ZodType])[]

/**
 * Converts zod schemas to JSON Schema by name; a schema refers to others by name. `input`: accepted values; `output`: returned values, with
 * closed objects. A schema that JSON Schema cannot express becomes empty.
 */
export function jsonSchemas(named: Named, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
    // Zod omits the defaults of schemas with a transform, which JSON parameters have.
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      if (io === 'input' && def.type === 'default') jsonSchema.default = def.defaultValue as never
      if (io === 'input' && zodSchema instanceof z.ZodObject) requireAll(zodSchema, jsonSchema)
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema) as JsonSchema]))
}

/** Adds required members that zod takes for optional, because their schema has a transform, as lists of parameters do. */
function requireAll({ shape }: z.ZodObject, schema: { required?: string[] }): void {
  const isRequired = (name: string) =>
    schema.required?.includes(name) || !(shape[name] as z.ZodType).safeParse(undefined).success
  const names = Object.keys(shape).filter(isRequired)
  if (names.length > 0) schema.required = names
}

/** Removes redundant keywords. */
function tidy(value: unknown): unknown {
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
