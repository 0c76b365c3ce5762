import { z } from 'zod'
import { conditionKeywords } from './conditions.js'
import { type JsonSchema, tidy } from './json-schema.js'

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
      if (zodSchema instanceof z.ZodObject) addConditions(zodSchema, jsonSchema)
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

/** Replaces the conditions of an object in a parameter (`withConditions`) by the keywords for them. */
function addConditions({ shape }: z.ZodObject, schema: { conditions?: unknown; properties?: object }): void {
  const { conditions, properties = {} } = schema
  if (typeof conditions !== 'function') return
  delete schema.conditions
  // The defaults come later.
  const members = Object.entries(properties).map(([name, member]) => {
    const byDefault = (shape[name] as z.ZodType).safeParse(undefined).data
    return [name, byDefault === undefined ? member : { ...member, default: byDefault }]
  })
  Object.assign(schema, conditionKeywords(conditions(), Object.fromEntries(members)))
}
