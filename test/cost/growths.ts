import type { JsonSchema } from '../../server/openapi/json-schema.js'

/** One way in which the value of a parameter can grow. */
export interface Growth {
  readonly name: string
  /** The largest size that the schema accepts; undefined: the schema states none. */
  readonly most: number | undefined
  /** Sizes to try where they are not those of every growth. */
  readonly sizes?: readonly number[]
  /** A value of this size. `round` differs with each request, where a name must be new. */
  readonly at: (size: number, round: number) => unknown
}

/** Where ids of the organization begin that a list of ids may hold: `first`, `first + 1` and so on. */
type FirstId = number

const deepest = 3

/** Every way in which a value of this schema can grow. */
export function growthsOf(schema: JsonSchema, firstId: FirstId, depth = 0): Growth[] {
  if (depth > deepest) return []
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return choices.flatMap(choice => growthsOf(choice, firstId, depth))
  if (schema.enum || 'const' in schema) return []
  const types = [schema.type].flat()
  if (types.includes('array')) return arrayGrowths(schema, firstId, depth)
  if (types.includes('object')) return objectGrowths(schema, firstId, depth)
  if (types.includes('string')) return stringGrowths(schema)
  if (types.includes('integer')) return integerGrowths(schema)
  return []
}

function arrayGrowths(schema: JsonSchema, firstId: FirstId, depth: number): Growth[] {
  const { items, maxItems, prefixItems } = schema as {
    items?: JsonSchema
    maxItems?: number
    prefixItems?: JsonSchema[]
  }
  if (prefixItems) {
    const first = prefixItems.map(item => sampleOf(item, firstId, 0))
    return prefixItems.flatMap((item, place) =>
      growthsOf(item, firstId, depth + 1).map(growth => ({
        ...growth,
        name: `[${place}] ${growth.name}`,
        at: (size: number, round: number) => first.with(place, growth.at(size, round)),
      })),
    )
  }
  const item = items ?? {}
  const list = (name: string, of: (index: number) => unknown): Growth => ({
    name,
    most: maxItems,
    at: size => Array.from({ length: size }, (_, index) => of(index)),
  })
  return [
    list('equal items', () => sampleOf(item, firstId, 0)),
    list('different items', index => sampleOf(item, firstId, index)),
    ...growthsOf(item, firstId, depth + 1).map(growth => ({
      ...growth,
      name: `item's ${growth.name}`,
      at: (size: number, round: number) => [growth.at(size, round)],
    })),
  ]
}

function objectGrowths(schema: JsonSchema, firstId: FirstId, depth: number): Growth[] {
  const {
    properties = {},
    additionalProperties,
    maxProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>
    additionalProperties?: JsonSchema | boolean
    maxProperties?: number
  }
  const whole = sampleOf(schema, firstId, 0) as object
  const members = Object.entries(properties).flatMap(([name, member]) =>
    growthsOf(member, firstId, depth + 1).map(growth => ({
      ...growth,
      name: `${name}: ${growth.name}`,
      at: (size: number, round: number) => ({ ...whole, [name]: growth.at(size, round) }),
    })),
  )
  if (typeof additionalProperties !== 'object') return members
  const keys = (size: number) =>
    Object.fromEntries(Array.from({ length: size }, (_, i) => [`key${i}`, sampleOf(additionalProperties, firstId, i)]))
  const values = growthsOf(additionalProperties, firstId, depth + 1).map(growth => ({
    ...growth,
    name: `a key's ${growth.name}`,
    at: (size: number, round: number) => ({ key: growth.at(size, round) }),
  }))
  return [...members, { name: 'keys', most: maxProperties, at: keys }, ...values]
}

function stringGrowths({ maxLength, pattern }: JsonSchema): Growth[] {
  if (pattern) return []
  const most = maxLength as number | undefined
  const text = (name: string, piece: string): Growth => ({
    name,
    most,
    at(size, round) {
      const start = round.toString(36).slice(0, size)
      return (start + textOf(piece, size - start.length)).replace(/ $/, 'a')
    },
  })
  return [text('letters', 'a'), text('words', ' a'), text('pictures', '🅰')]
}

/** Copies of a piece that is one character, or several of one code unit each, cut after `size` characters. */
function textOf(piece: string, size: number): string {
  const isOneCharacter = [...piece].length === 1
  return isOneCharacter ? piece.repeat(size) : piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
}

function integerGrowths({ minimum, maximum }: JsonSchema): Growth[] {
  return [{ name: 'value', most: maximum as number | undefined, at: size => Math.max(size, Number(minimum ?? 0)) }]
}

/** A value that the schema accepts, the `index`th of several that differ where the schema lets them. */
export function sampleOf(schema: JsonSchema, firstId: FirstId, index: number): unknown {
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]
  if (choice) return sampleOf(choice, firstId, index)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  const [type] = [schema.type].flat()
  if (type === 'integer') return firstId + index
  if (type === 'boolean') return true
  if (type === 'string') return schema.pattern ? '#abcdef' : `name ${index}`
  if (type === 'array') return ((schema.prefixItems ?? []) as JsonSchema[]).map(item => sampleOf(item, firstId, index))
  if (type !== 'object') return firstId + index
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as string[]
  return Object.fromEntries(required.map(name => [name, sampleOf(properties[name] ?? {}, firstId, index)]))
}
