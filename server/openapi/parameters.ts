import type { z } from 'zod'
import type { Route } from '../api/route.js'

export interface Parameter {
  readonly name: string
  /** `form`: a field of the body; the query may contain it instead. */
  readonly place: 'path' | 'query' | 'form'
  readonly required: boolean
  readonly schema: z.ZodType
}

/** An operation's parameters in the order of their checks. */
export function parametersOf({ method, path, params }: Route): Parameter[] {
  const inPath = pathNames(path)
  return Object.entries(params.shape).map(([name, schema]) => ({
    name,
    place: inPath.includes(name) ? 'path' : method === 'GET' ? 'query' : 'form',
    required: !schema.safeParse(undefined).success,
    schema,
  }))
}

/** `{name}` matches one segment, `{name*}` the rest of the path. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => String(name))
