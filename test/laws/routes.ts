import { basename } from 'node:path'
import type { z } from 'zod'
import type { Route } from '../../server/api/route.js'

/** The routes that a file exports. */
interface RouteFile {
  readonly path: string
  readonly routes: readonly Route[]
}

export const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'operation' in value && 'handle' in value && 'path' in value

/** One sentence for each file or route that breaks a law. */
export function brokenRoutes(files: readonly RouteFile[], listed: readonly Route[]): string[] {
  return [
    ...files.flatMap(file => complaintsOfFile(file, listed)),
    ...listed.flatMap(route => complaintsOfParams(route)),
    ...collisions(listed),
  ]
}

function complaintsOfFile({ path, routes }: RouteFile, listed: readonly Route[]): string[] {
  const operation = basename(path, '.ts').replaceAll('-', '_')
  if (routes.length !== 1) return [`${path} defines ${routes.length} operations: one file, one operation`]
  const [route] = routes as [Route]
  return [
    ...(listed.includes(route) ? [] : [`${path} is not listed: add it to the index.ts of its area`]),
    ...(route.operation === operation ? [] : [`${path} calls its operation ${route.operation}, not ${operation}`]),
    ...(route.doc.trim() ? [] : [`${path} has no doc`]),
  ]
}

function complaintsOfParams({ operation, path, params }: Route): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => String(name))
  return [
    ...inPath.filter(name => !(name in params.shape)).map(name => `${operation}: ${name} of its path is no parameter`),
    ...Object.entries(params.shape)
      .filter(([, schema]) => !isDescribed(schema as z.ZodType))
      .map(([name]) => `${operation}: the parameter ${name} has no description`),
  ]
}

function collisions(routes: readonly Route[]): string[] {
  const taken = new Map<string, string>()
  return routes.flatMap(({ operation, method, path }) => {
    // Paths are equal as the router sees them: `{x_id}` matches digits, `{x}` a segment, `{x*}` the rest.
    const place = `${method} ${path.replace(/\{\w+?(_id)?(\*?)\}/g, '{$1$2}')}`
    const first = taken.get(place)
    taken.set(place, operation)
    const names = routes.filter(other => other.operation === operation).length
    return [
      ...(first ? [`${operation} collides with ${first}: both are ${place}`] : []),
      ...(names > 1 ? [`the operation ${operation} is listed ${names} times`] : []),
    ]
  })
}

/** In any layer of the schema: `.optional()` after `.describe()` hides the description. */
function isDescribed(schema: z.ZodType): boolean {
  if (schema.description) return true
  const {
    innerType,
    in: input,
    out: output,
  } = schema._zod.def as Partial<Record<'innerType' | 'in' | 'out', z.ZodType>>
  return [innerType, input, output].some(layer => layer !== undefined && isDescribed(layer))
}
