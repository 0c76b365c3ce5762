import { budgets } from '../../config/budgets.js'
import type { Condition } from '../../store/accounts/provisioned-users.js'
import { ScimError } from './scim-error.js'

const invalid = (detail: string) => new ScimError(400, detail, 'invalidFilter')

// Attribute, operator and value; of nested filters only those that name the one address of a person.
const comparison = /\s*([a-z$][\w.:$-]*(?:\[[^\]]*\])?(?:\.\w+)?)\s+(\w+)\s+("(?:[^"\\]|\\.)*"|\w+)\s*/iy
const conjunction = /and\s/iy

/**
 * The conditions of a filter: comparisons with `eq`, joined by `and`. `attributes`: what each attribute that can be compared means, in
 * lower case.
 * @throws {ScimError} invalidFilter
 */
export function conditionsOf<Attribute extends string>(
  filter: string,
  attributes: Readonly<Record<string, Attribute>>,
): readonly Condition<Attribute>[] {
  if (filter.length > budgets.scimFilter.most)
    throw invalid(`A filter has at most ${budgets.scimFilter.most} characters.`)
  const conditions: Condition<Attribute>[] = []
  let at = 0
  for (;;) {
    const found = matchAt(comparison, filter, at)
    if (!found) throw invalid('A filter consists of comparisons with eq, joined by and.')
    const [text, path = '', operator = '', value = ''] = found
    if (operator.toLowerCase() !== 'eq') throw invalid(`The operator ${operator} is not supported: use eq.`)
    const attribute = attributeIn(attributes, path)
    if (attribute === undefined) throw invalid(`There is no filter by ${path}.`)
    conditions.push({ attribute, value: textOfValue(value) })
    at += text.length
    if (at === filter.length) return conditions
    const and = matchAt(conjunction, filter, at)
    if (!and) throw invalid('Comparisons are joined by and; nothing else is supported.')
    at += and[0].length
  }
}

/** The name of an attribute in lower case, without its schema. */
export const attributeOf = (path: string): string =>
  path
    .trim()
    .toLowerCase()
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '')

/** The member of the table for the attribute; undefined: it has none. */
export function attributeIn<Member>(table: Readonly<Record<string, Member>>, path: string): Member | undefined {
  const name = attributeOf(path)
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function textOfValue(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    // No stored text has a null byte, and the database takes none.
    if (typeof value === 'string' && !value.includes('\0')) return value
  } catch {
    // Not a text of JSON.
  }
  throw invalid('A value of the filter is no text of JSON.')
}
