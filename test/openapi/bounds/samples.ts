import fc from 'fast-check'
import type { JsonSchema } from '../../../server/openapi/json-schema.js'

const seed = 1
const numRuns = 20

/** A value that the schema allows, the `index`th of several that differ where the schema lets them. */
export function sampleOf(schema: JsonSchema, index = 0): unknown {
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]
  if (choice) return sampleOf(choice, index)
  const words = schema.enum as unknown[] | undefined
  if (words) return words[index % words.length]
  if ('const' in schema) return schema.const
  const [type] = [schema.type].flat()
  if (type === 'boolean') return index % 2 === 0
  if (type === 'string') return textOf(schema, index)
  if (type === 'array') return listOf(schema, Number(schema.minItems ?? 0))
  if (type === 'object') return objectOf(schema)
  return Math.max(Number(schema.minimum ?? 0), 0) + index
}

/** A list of this many items that differ where their schema lets them. */
export const listOf = ({ items = {} }: JsonSchema, length: number): unknown[] =>
  Array.from({ length }, (_, i) => sampleOf(items as JsonSchema, i))

/** The required members; of a map, so many keys. */
export function objectOf({ properties, required = [], additionalProperties }: JsonSchema, keys = 0): object {
  const members = (properties ?? {}) as Record<string, JsonSchema>
  const names = required as string[]
  const inner = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {}
  return Object.fromEntries([
    ...names.map(name => [name, sampleOf(members[name] ?? {})]),
    ...Array.from({ length: keys }, (_, i) => [`key${i}`, sampleOf(inner, i)]),
  ])
}

function textOf(schema: JsonSchema, index: number): string {
  if (schema.pattern) {
    const texts = matching(schema, numRuns)
    return texts[index % texts.length] ?? ''
  }
  return index.toString(36).padStart(Number(schema.minLength ?? 0), 'x')
}

const samples = new Map<unknown, readonly string[]>()

/** Texts that follow the pattern and the lengths of the schema. */
export function matching({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema, most: number) {
  const found =
    samples.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(String(pattern), 'u')), { numRuns, seed })
  samples.set(pattern, found)
  const fits = (text: string) => [...text].length >= Number(minLength) && [...text].length <= Number(maxLength)
  return [...new Set(found.filter(fits))].slice(0, most)
}
