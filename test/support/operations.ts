import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '../../server/api/route.js'
import { projectRoot } from '../../server/paths.js'

export interface WireParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'form' | 'multipart'
  readonly required?: true
  readonly default?: unknown
  /** A closed set; beside integers, the words that are allowed too. */
  readonly values?: readonly unknown[]
  /** Not confirmed by a source. */
  readonly unsure?: true
}

/** An operation of the wire facts: of tier 1 is what any working client needs. */
export interface WireOperation {
  readonly id: string
  readonly tier: 1 | 2 | 3
  readonly method: string
  /** Below /api/v1; `<root>/…` and `<payload_url>` are outside of it. */
  readonly path: string
  readonly params: readonly WireParameter[]
}

/** Every operation that the wire facts know of. */
export const wireOperations: readonly WireOperation[] = JSON.parse(
  readFileSync(join(projectRoot, 'test/support/wire/operations.json'), 'utf8'),
)

/** What our routes have beyond the wire facts, and why. */
export const ownOperations: Readonly<Record<string, string>> = {
  get_emoji_data: 'where `server_emoji_data_url` of the register answer leads',
  post_subscription_setting: 'the verb that api.md E3 names; clients send PATCH',
}

/** As the router tells places apart: an id is digits, anything else a name. */
const placeOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\{\w+?(_id)?\*?\}/g, '{$1}')}`

/** Each operation of the wire facts with the route that serves it, if there is one. */
export function pairs(routes: readonly Route[]): { wire: WireOperation; route: Route | undefined }[] {
  const byPlace = new Map(routes.map(route => [placeOf(route), route]))
  return wireOperations.map(wire => ({ wire, route: byPlace.get(placeOf(wire)) }))
}

/** Routes that the wire facts do not know of. */
export function beyondTheWire(routes: readonly Route[]): Route[] {
  const known = new Set(wireOperations.map(placeOf))
  return routes.filter(route => !known.has(placeOf(route)))
}
