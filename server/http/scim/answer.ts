import { budgets } from '../../config/budgets.js'
import type { WorkerCtx } from '../../ctx.js'
import type { Window } from '../../store/accounts/provisioned-users.js'
import type { ScimToken } from '../../store/accounts/scim-tokens.js'
import type { Fields } from './body.js'
import { ScimError } from './scim-error.js'

/** A request of a directory, whose token was right. */
export interface ScimCall {
  /** Changes are in the audit log under the name of the request, by the token. */
  readonly ctx: WorkerCtx
  readonly token: ScimToken
  readonly query: URLSearchParams
  /** @throws {ScimError} invalidSyntax */
  body(): Fields
}

/** An answer before it is written. */
export interface ScimAnswer {
  readonly status: number
  /** Absent: there is none. */
  readonly body?: Fields
  readonly location?: string
}

/** People or groups. `id`: as in the path. */
export interface ScimResources {
  list(call: ScimCall): Promise<ScimAnswer>
  create(call: ScimCall): Promise<ScimAnswer>
  get(call: ScimCall, id: string): Promise<ScimAnswer>
  replace(call: ScimCall, id: string): Promise<ScimAnswer>
  patch(call: ScimCall, id: string): Promise<ScimAnswer>
  remove(call: ScimCall, id: string): Promise<ScimAnswer>
}

export const notFound = () => new ScimError(404, 'There is no such resource.')

export const locationOf = ({ publicUrl }: WorkerCtx, kind: 'Users' | 'Groups', id: string): string =>
  `${publicUrl}/scim/v2/${kind}/${id}`

/** The part of a list that a request asks for; the first index is 1. @throws {ScimError} invalidValue */
export function windowOf(query: URLSearchParams): Window {
  const start = wholeIn(query, 'startIndex', 1)
  const { most } = budgets.scimPage
  return { offset: Math.max(start, 1) - 1, limit: Math.min(Math.max(wholeIn(query, 'count', most), 0), most) }
}

function wholeIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name}: a whole number is expected.`, 'invalidValue')
  return Number(text)
}

interface Listed {
  readonly total: number
  readonly resources: readonly Fields[]
}

export function listAnswer({ query }: ScimCall, { total, resources }: Listed): ScimAnswer {
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex: windowOf(query).offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
  return { status: 200, body }
}

/** Which attributes of a resource the request asks for (RFC 7644, 3.9). */
export function wants({ query }: ScimCall, attribute: string): boolean {
  const names = (parameter: string) => {
    const text = query.get(parameter)
    return text === null ? null : text.split(',').map(one => one.trim().toLowerCase().split('.')[0])
  }
  const name = attribute.toLowerCase()
  const [only, without] = [names('attributes'), names('excludedAttributes')]
  if (name === 'id' || name === 'schemas') return true
  return only ? only.includes(name) : !without?.includes(name)
}

/** The resource with the attributes that the request asks for. */
export const shown = (call: ScimCall, resource: Fields): Fields =>
  Object.fromEntries(Object.entries(resource).filter(([name, value]) => value !== undefined && wants(call, name)))
