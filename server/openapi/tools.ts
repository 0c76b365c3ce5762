import type { Route } from '../api/route.js'
import type { Tool } from '../http/mcp/tool.js'
import { alwaysRequired } from './conditions.js'
import { jsonSchemas } from './json-schemas.js'

/** The operations that are marked for assistants. Their schemas have no conditions between parameters: many assistants refuse schemas with them. */
export function toolsOf(routes: readonly Route[]): Tool[] {
  const marked = routes.filter(route => route.isTool)
  const schemas = jsonSchemas(
    marked.map(route => [route.operation, route.params] as const),
    'input',
  )
  return marked.map(route => {
    const { properties = {}, required = [] } = schemas[route.operation] ?? {}
    const needed = [...new Set([...(required as string[]), ...alwaysRequired(route.requires)])]
    return {
      route,
      listed: {
        name: route.operation,
        description: route.doc,
        inputSchema: { type: 'object', properties, required: needed },
        annotations: { readOnlyHint: route.method === 'GET' },
      },
    }
  })
}
