import { ApiError, badRequest } from '../../shared/errors.js'
import type { Route } from '../api/route.js'
import { ParamReader } from '../params/param-reader.js'

/** A route with its parameter reader. */
export interface Operation {
  readonly route: Route
  readonly reader: ParamReader
}

/** A path of the route table with all its operations. */
interface Place {
  readonly operations: Map<string, Operation>
  /** Sorted; includes HEAD wherever GET exists. */
  allowed: readonly string[]
  isOpen: boolean
  isForAccounts: boolean
}

export interface Found {
  readonly operations: ReadonlyMap<string, Operation>
  readonly allowed: readonly string[]
  /** No operation of the path checks credentials. */
  readonly isOpen: boolean
  /** Every operation of the path requires an account. */
  readonly isForAccounts: boolean
  /** Decoded values of the path's parameters, in order. */
  readonly values: readonly string[]
}

interface Branch {
  readonly literals: Map<string, Branch>
  digits?: Branch
  segment?: Branch
  rest?: Place
  place?: Place
}

const none: readonly string[] = []
/** No path. */
const noOperations: ReadonlyMap<string, Operation> = new Map()
export const nowhere: Found = {
  operations: noOperations,
  allowed: none,
  isOpen: false,
  isForAccounts: true,
  values: none,
}
const newBranch = (): Branch => ({ literals: new Map() })
const newPlace = (): Place => ({ operations: new Map(), allowed: none, isOpen: true, isForAccounts: true })

/** The route table. Literal segments win over parameters; `{x_id}` matches digits, `{x}` one segment, `{x*}` the rest of the path. */
export class Router {
  private readonly root = newBranch()
  /** Paths without parameters (most of them): one lookup instead of a walk. */
  private readonly literal = new Map<string, Found>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.add(route)
  }

  private add(route: Route): void {
    const names: string[] = []
    const place = this.placeOf(route.path, names)
    if (place.operations.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`)
    place.operations.set(route.method, { route, reader: new ParamReader(route, names) })
    const methods = [...place.operations.keys()]
    place.allowed = (place.operations.has('GET') ? [...methods, 'HEAD'] : methods).sort()
    place.isOpen &&= route.allow === 'anyone'
    place.isForAccounts &&= typeof route.allow === 'function'
    if (names.length === 0) this.literal.set(route.path, { ...place, values: none })
  }

  private placeOf(path: string, names: string[]): Place {
    let branch = this.root
    for (const segment of path.slice(1).split('/')) {
      if (!segment.startsWith('{')) {
        const next = branch.literals.get(segment) ?? newBranch()
        branch.literals.set(segment, next)
        branch = next
        continue
      }
      const isRest = segment.endsWith('*}')
      const name = segment.slice(1, isRest ? -2 : -1)
      names.push(name)
      if (isRest) {
        branch.rest ??= newPlace()
        return branch.rest
      }
      const kind = name.endsWith('_id') ? 'digits' : 'segment'
      branch[kind] ??= newBranch()
      branch = branch[kind]
    }
    branch.place ??= newPlace()
    return branch.place
  }

  /**
   * Finds the operations of a path below /api/v1, still percent-encoded.
   * @throws {ApiError} NOT_FOUND; BAD_REQUEST for a malformed escape.
   */
  find(path: string): Found {
    const literal = this.literal.get(path)
    if (literal) return literal
    const values: string[] = []
    const place = path.startsWith('/') ? walk(this.root, path, 1, values) : undefined
    // Some clients join the address of the API and a path with two slashes.
    if (!place && path.includes('//')) return this.find(path.replace(/\/{2,}/g, '/'))
    if (!place) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
    return { ...place, values: values.map(decodeSegment) }
  }
}

/** The operation of a method; HEAD is answered as GET. @throws {ApiError} METHOD_NOT_ALLOWED */
export function operationOf(found: Found, method: string): Operation {
  const operation = found.operations.get(method === 'HEAD' ? 'GET' : method)
  if (!operation) {
    throw new ApiError('METHOD_NOT_ALLOWED', 'This path does not take this method.', {
      allowed_methods: found.allowed,
    })
  }
  return operation
}

function walk(branch: Branch, path: string, start: number, values: string[]): Place | undefined {
  const slash = path.indexOf('/', start)
  const segment = slash < 0 ? path.slice(start) : path.slice(start, slash)
  const follow = (next: Branch | undefined) => next && (slash < 0 ? next.place : walk(next, path, slash + 1, values))

  const literal = follow(branch.literals.get(segment))
  if (literal) return literal
  const depth = values.length
  // An empty segment (a doubled or a trailing slash) is never a value.
  if (segment !== '') {
    values.push(segment)
    const parameter = (isDigits(segment) && follow(branch.digits)) || follow(branch.segment)
    if (parameter) return parameter
    values.length = depth
  }
  if (!branch.rest || start >= path.length || path.endsWith('/')) return undefined
  values.push(path.slice(start))
  return branch.rest
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return true
}

function decodeSegment(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw badRequest('The path has a malformed escape.')
  }
}
