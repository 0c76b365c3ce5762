import { budgets } from '../../config/budgets.js'
import { invalidValue, ScimError } from './scim-error.js'

export type Fields = Readonly<Record<string, unknown>>

const invalidSyntax = (detail: string) => new ScimError(400, detail, 'invalidSyntax')

/** The object of a body. @throws {ScimError} invalidSyntax */
export function objectOf(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body)
    if (isObject(value)) return value
  } catch {
    // The same answer as for another value.
  }
  throw invalidSyntax('The body is no object of JSON.')
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One operation of a PATCH. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  /** Absent: the value is an object with a value for each attribute. */
  readonly path: string | undefined
  readonly value: unknown
}

/** The operations of a PATCH (RFC 7644, 3.5.2), also with names of operations as Entra ID writes them. @throws {ScimError} */
export function operationsOf(body: Fields): readonly PatchOperation[] {
  const operations = field(body, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('Operations: a list is expected.')
  const { most } = budgets.scimOperations
  if (operations.length > most) throw new ScimError(400, `A request has at most ${most} operations.`, 'tooMany')
  return operations.map(one => operationOf(one))
}

function operationOf(given: unknown): PatchOperation {
  if (!isObject(given)) throw invalidSyntax('Operations: a list of objects is expected.')
  const op = String(field(given, 'op')).toLowerCase()
  const path = field(given, 'path') ?? undefined
  if (op !== 'add' && op !== 'remove' && op !== 'replace')
    throw invalidSyntax('op: add, remove or replace is expected.')
  if (path !== undefined && (typeof path !== 'string' || path.length > budgets.scimFilter.most)) {
    throw new ScimError(400, 'path: a text is expected.', 'invalidPath')
  }
  if (op === 'remove' && path === undefined) throw new ScimError(400, 'remove needs a path.', 'noTarget')
  return { op, path, value: field(given, 'value') }
}

/** The value of an attribute; letter case of its name does not count. */
export function field(object: Fields, name: string): unknown {
  if (name in object) return object[name]
  const lower = name.toLowerCase()
  return Object.entries(object).find(([key]) => key.toLowerCase() === lower)?.[1]
}

// Characters; the account's own limits are smaller.
const longestText = 1000

/** @throws {ScimError} invalidValue */
export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > longestText || value.includes('\0')) {
    invalidValue(`${name}: a text is expected.`)
  }
  return value.trim()
}

/** Entra ID writes truth values as texts. @throws {ScimError} invalidValue */
export function truthOf(value: unknown, name: string): boolean {
  const text = String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') invalidValue(`${name}: true or false is expected.`)
  return text === 'true'
}
