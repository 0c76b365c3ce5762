import { checkEvent, checkRegister, checkSchema, objectRef } from '../../support/wire-schemas.js'
import { answers, type Fields } from './answers.js'

/** What a client read, and how it read it: `problems` returns the reasons to refuse a body, none for one that the client takes. */
export interface Decoded {
  readonly what: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  readonly body: any
  problems(body: unknown): string[]
}

const primitive = new Set(['string', 'integer', 'number', 'boolean', 'null'])

function schemaOf(type: string | Fields): object | false {
  if (typeof type === 'object') return closed(type, {})
  if (type === 'never') return false
  if (type.includes('|')) return { anyOf: type.split('|').map(schemaOf) }
  if (type.endsWith('[]')) return { type: 'array', items: schemaOf(type.slice(0, -2)) }
  if (type.startsWith('{')) return { type: 'object', additionalProperties: schemaOf(type.slice(1, -1)) }
  return primitive.has(type) ? { type } : { $ref: objectRef(type) }
}

/** An object with these fields and no others. */
function closed(fields: Fields, others: Record<string, object>): object {
  const properties: Record<string, object | false> = { ...others }
  const required = Object.keys(others)
  for (const [field, type] of Object.entries(fields)) {
    const name = field.replace('?', '')
    properties[name] = schemaOf(type)
    if (name === field) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

const success = { result: { const: 'success' }, msg: { const: '' } }
const schemas = Object.fromEntries(
  Object.entries(answers).map(([operation, fields]) => [operation, closed(fields, success)]),
)

/** The answer of an operation, named by method and path pattern. */
export function decodedAnswer(operation: string, body: unknown): Decoded {
  const schema = schemas[operation]
  if (!schema) throw new Error(`the client does not know ${operation}`)
  return { what: operation, body, problems: given => checkSchema(schema, given) }
}

export const decodedRegister = (body: unknown): Decoded => ({
  what: 'register',
  body,
  problems: given => checkRegister(given, null),
})

export const decodedEvent = (body: { type: string; op?: string }): Decoded => ({
  what: `event ${body.type}${body.op === undefined ? '' : `/${body.op}`}`,
  body,
  problems: given => checkEvent(given),
})
