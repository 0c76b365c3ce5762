import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../server/config/paths.js'

type Schema = Readonly<Record<string, unknown>>

/** A reference file of test/support/wire. */
export const wireFile = (name: string): Schema =>
  JSON.parse(readFileSync(join(projectRoot, 'test/support/wire', name), 'utf8'))

/** Names of fields and values that a reference marks with a level above `level`. */
export function newerNames(reference: unknown, level: number, into = new Set<string>()): Set<string> {
  if (typeof reference !== 'object' || reference === null) return into
  for (const [name, value] of Object.entries(reference)) {
    const since = (value as Schema | null)?.['x-since']
    if (typeof since === 'number' && since > level) into.add(name)
    // Levels of the values of a list of words.
    if (name === 'x-since' || name === 'x-since-property')
      for (const [word, at] of Object.entries(value as Schema)) if (Number(at) > level) into.add(word)
    newerNames(value, level, into)
  }
  return into
}

/** Where a document's schemas have one of these names as a field or a value, as paths. */
export function placesOf(names: ReadonlySet<string>, document: unknown, path = ''): string[] {
  if (typeof document === 'string') return names.has(document) ? [path] : []
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([name, value]) =>
    names.has(name) ? [`${path}/${name}`] : placesOf(names, value, `${path}/${name}`),
  )
}

/**
 * What a reference object requires at this level and a schema does not have. Alternatives count together: a field of any of them is
 * there.
 */
export function missingFields(
  required: readonly string[],
  reference: Schema,
  schema: unknown,
  level: number,
): string[] {
  const there = fieldsOf(schema)
  return required.filter(name => {
    const field = (reference.properties as Readonly<Record<string, Schema>>)[name]
    const isExpected =
      field && !('x-unsure' in field) && !('x-optional' in field) && !(Number(field['x-since']) > level)
    return isExpected && !there.has(name)
  })
}

function fieldsOf(schema: unknown): Set<string> {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema as Record<string, object[]>
  const nested = [...anyOf, ...oneOf, ...allOf].flatMap(one => [...fieldsOf(one)])
  return new Set([...Object.keys(properties), ...nested])
}
