import { z } from 'zod'
import type { Allow, Route } from '../api/route.js'
import { about, areaTexts, type Server } from './about.js'
import { callerOf } from './callers.js'
import { conditionSentences } from './conditions.js'
import { withValueTypes } from './event-values.js'
import { readExamples } from './examples.js'
import type { JsonSchema } from './json-schema.js'
import { jsonSchemas } from './json-schemas.js'
import { linksOf } from './links.js'
import { documentedRoutes } from './paths.js'
import { errorResponses, errorSchemas } from './refusals.js'
import { bodySchemas, requestOf } from './request.js'
import { resources } from './resources.js'
import { successResponse } from './success.js'

type Areas = Readonly<Record<string, readonly Route[]>>
type Fields = Readonly<Record<string, JsonSchema>>

/** The OpenAPI 3.1 document of all operations, generated from their declarations, with the examples that the tests recorded. */
export function openApiDocument(areas: Areas, server: Server): Record<string, unknown> {
  const areaOf = new Map(
    Object.entries(areas).flatMap(([area, routes]) => routes.map(route => [route.operation, area])),
  )
  const routes = documentedRoutes(Object.values(areas).flat())
  const params = propertiesOf(routes, ({ params }) => params, 'input')
  const returns = propertiesOf(routes, ({ returns }) => returns, 'output')

  const fieldsOf = (route: Route) => (params.of(route).properties ?? {}) as Fields
  const examples = readExamples(Object.keys(areas))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    const example = examples[route.operation]
    const success = { ...successResponse(returns.of(route), example?.answer), ...linksOf(route, routes) }
    const operation = {
      ...describe(route, areaOf.get(route.operation) ?? ''),
      ...requestOf(route, fieldsOf(route), example),
      responses: { [route.redirects ? 302 : 200]: success, ...errorResponses(route) },
    }
    Object.assign(paths[route.path] as object, { [route.method.toLowerCase()]: operation })
  }
  const document = {
    openapi: '3.1.1',
    ...about(server),
    tags: Object.entries(areas)
      .filter(([, routes]) => routes.length > 0)
      .map(([name]) => ({ name, description: areaTexts[name] ?? name })),
    paths,
    components: {
      schemas: { ...withValueTypes(returns.named), ...bodySchemas(routes, fieldsOf), ...errorSchemas() },
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Email address and API key.' } },
    },
    security: [{ basic: [] }],
  }
  return branded({ ...document, components: { ...document.components, schemas: used(document) } }, server.brand)
}

interface Components {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** The schemas to which the document refers, directly or by one of them. */
function used({ components: { schemas }, ...rest }: Components): Record<string, unknown> {
  const found = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      follow(schemas[name])
    }
  }
  follow(rest)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

/** The schema of each route, and the schemas that they refer to. */
function propertiesOf(routes: readonly Route[], get: (route: Route) => z.ZodType, io: 'input' | 'output') {
  // Each in an object of its own: otherwise routes that share a schema would refer to each other's.
  const own = routes.map(route => [`${route.method} ${route.path}`, z.object({ it: get(route) })] as const)
  const all = jsonSchemas([...(io === 'output' ? resources : []), ...own], io)
  return {
    of({ method, path }: Route): JsonSchema {
      const { it } = (all[`${method} ${path}`] as { properties: { it: JsonSchema } }).properties
      return typeof it.$ref === 'string' ? (all[it.$ref.slice(it.$ref.lastIndexOf('/') + 1)] ?? it) : it
    },
    named: Object.fromEntries(Object.entries(all).filter(([name]) => !name.includes(' '))),
  }
}

function describe({ operation, doc, allow, requires }: Route, area: string) {
  const [summary = ''] = /^.*?[.:;](?=\s|$)|^.*$/s.exec(doc) ?? []
  return {
    operationId: operation,
    summary: summary.replace(/[.:;]$/, ''),
    description: [doc, ...conditionSentences(requires), `Who may call: ${callerOf(allow)?.who ?? allow}`].join('\n\n'),
    tags: [area],
    ...securityOf(allow),
  }
}

function securityOf(allow: Allow): { security?: readonly unknown[] } {
  if (allow === 'anyone') return { security: [] }
  return allow === 'optional' ? { security: [{ basic: [] }, {}] } : {}
}

/** Inserts the brand into the names of a few fields, and into the type of the extra emoji. */
function branded<T>(document: T, brand: string): T {
  const text = JSON.stringify(document)
  const names =
    /"(realm_)?service(?=_(?:feature_level|version|merge_base|plan_is_not_limited|update_announcements_stream_id|extra_emoji)")/g
  return JSON.parse(text.replace(names, `"$1${brand}`))
}
