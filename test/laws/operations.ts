import type { Route } from '../../server/api/route.js'
import { jsonSchemas } from '../../server/openapi/json-schemas.js'
import { type Parameter, parametersOf } from '../../server/openapi/parameters.js'
import { beyondTheWire, ownOperations, ownParameters, pairs, type WireParameter } from '../support/operations.js'

/**
 * One sentence for each operation or parameter that differs from the reference (test/support/wire/operations.json)
 * without a reason.
 */
export function operationComplaints(routes: readonly Route[]): string[] {
  return [
    ...pairs(routes).flatMap(({ wire, route }) =>
      route ? parameterComplaints(route, wire.params) : wire.tier === 1 ? [`${wire.id} is not there`] : [],
    ),
    ...beyondTheWire(routes)
      .filter(({ operation }) => !(operation in ownOperations))
      .map(({ operation }) => `${operation} is not a reference operation`),
  ]
}

function parameterComplaints(route: Route, wanted: readonly WireParameter[]): string[] {
  const own = new Map(parametersOf(route).map(parameter => [parameter.name, parameter]))
  const defaults = defaultsOf(route)
  // A file is declared by the route, and may have any name.
  const needed = route.file === undefined ? wanted : wanted.filter(one => one.in !== 'multipart')
  const names = new Set([...needed.map(({ name }) => name), ...own.keys()])
  return [...names].flatMap(name => {
    const complaint = complaintOf(
      wanted.find(one => one.name === name),
      own.get(name),
      defaults.get(name),
    )
    const isExcused = `${route.operation}.${name}` in ownParameters
    return complaint && !isExcused ? [`${route.operation}: the parameter ${name} ${complaint}`] : []
  })
}

function complaintOf(
  wanted: WireParameter | undefined,
  own: Parameter | undefined,
  byDefault: string | undefined,
): string | undefined {
  if (!wanted) return 'is not a reference parameter'
  if (!own) return wanted.unsure ? undefined : 'is missing'
  if (own.place !== wanted.in) return `is in the ${own.place}, not in the ${wanted.in}`
  if (own.place === 'path') return undefined
  if (own.required !== (wanted.required ?? false)) return `is ${own.required ? 'required' : 'optional'}`
  const wantedDefault = JSON.stringify(wanted.default)
  if (wantedDefault !== undefined && wantedDefault !== byDefault)
    return `has the default ${byDefault}, not ${wantedDefault}`
  return undefined
}

function defaultsOf({ params }: Route): Map<string, string | undefined> {
  const { params: schema } = jsonSchemas([['params', params]], 'input')
  const properties = (schema?.properties ?? {}) as Record<string, { default?: unknown }>
  return new Map(Object.entries(properties).map(([name, one]) => [name, JSON.stringify(one.default)]))
}
