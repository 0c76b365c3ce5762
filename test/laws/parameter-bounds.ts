import { z } from 'zod'
import type { Route } from '../../server/api/route.js'

type Schema = Readonly<Record<string, unknown>>

/** Each list, record or text in an operation's parameters that has no largest size. */
export function boundlessParameters({ operation, params }: Route): string[] {
  const schema = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
  const places = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  return [...new Set(places.flatMap(([name, one]) => boundless(one, `${operation}.${name}`)))]
}

function boundless(schema: Schema, place: string): string[] {
  const complaints: string[] = []
  const types = [schema.type].flat()
  const isFixed = 'enum' in schema || 'const' in schema
  if (types.includes('string') && !isFixed && !('maxLength' in schema)) complaints.push(`${place} has no maxLength`)
  if (types.includes('array') && !('maxItems' in schema) && !('prefixItems' in schema)) {
    complaints.push(`${place} has no maxItems`)
  }
  if (isRecord(schema) && !('maxProperties' in schema)) complaints.push(`${place} has no maxProperties`)
  for (const [inner, name] of innerSchemas(schema)) complaints.push(...boundless(inner, place + name))
  return complaints
}

/** An object with keys that the caller chooses. */
const isRecord = ({ additionalProperties: values }: Schema): boolean => typeof values === 'object' && values !== null

function innerSchemas(schema: Schema): [Schema, string][] {
  const named = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap(keyword => (schema[keyword] ?? []) as Schema[])
  const items = [schema.items, ...((schema.prefixItems ?? []) as unknown[])].filter(one => typeof one === 'object')
  return [
    ...named.map(([name, one]): [Schema, string] => [one, `.${name}`]),
    ...choices.map((one): [Schema, string] => [one, '']),
    ...items.map((one): [Schema, string] => [one as Schema, '[]']),
    ...(isRecord(schema) ? [[schema.additionalProperties as Schema, '{}'] as [Schema, string]] : []),
  ]
}
