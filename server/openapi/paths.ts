import { z } from 'zod'
import type { Route } from '../api/route.js'
import { pathNames } from './parameters.js'

/**
 * The routes in the form that OpenAPI can express: to OpenAPI, paths that differ only in parameter names are equal. Where the router
 * distinguishes them (an id has digits, an address has not), they become one path, and two operations with one method become one operation
 * for both.
 */
export function documentedRoutes(routes: readonly Route[]): Route[] {
  const names = namesByShape(routes)
  const merged = new Map<string, Route>()
  for (const route of routes) {
    const renamed = rename(route, names.get(shapeOf(route.path)) ?? [])
    const key = `${route.method} ${renamed.path}`
    const other = merged.get(key)
    merged.set(key, other ? merge(other, renamed) : renamed)
  }
  return [...merged.values()]
}

/** A path without the names of its parameters. */
export const shapeOf = (path: string): string => path.replace(/\{\w+\*?\}/g, '{}')

/** The parameter names of each path shape; different names of one parameter are joined. */
function namesByShape(routes: readonly Route[]): Map<string, string[]> {
  const found = new Map<string, Set<string>[]>()
  for (const { path } of routes) {
    const shape = shapeOf(path)
    const sets = found.get(shape) ?? pathNames(path).map(() => new Set<string>())
    found.set(shape, sets)
    for (const [i, name] of pathNames(path).entries()) sets[i]?.add(name)
  }
  return new Map([...found].map(([shape, sets]) => [shape, sets.map(set => [...set].join('_or_'))]))
}

function rename(route: Route, names: readonly string[]): Route {
  const newNames = new Map(pathNames(route.path).map((name, i) => [name, names[i] ?? name]))
  const shape = Object.entries(route.params.shape).map(([name, schema]) => [newNames.get(name) ?? name, schema])
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, name) => `{${newNames.get(name)}}`)
  return { ...route, path, params: z.object(Object.fromEntries(shape)) }
}

function merge(one: Route, other: Route): Route {
  const shape = { ...one.params.shape, ...other.params.shape }
  for (const name of pathNames(one.path)) {
    const either = [one, other].map(({ params }) => params.shape[name] as z.ZodType)
    shape[name] = z.union(either as [z.ZodType, z.ZodType]).describe('Either of these.')
  }
  return {
    ...one,
    doc: `${one.doc}\n\n${other.doc}`,
    params: z.object(shape),
    returns: z.union([one.returns, other.returns]),
    errors: [...one.errors, ...other.errors],
  }
}
