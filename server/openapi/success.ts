import type { JsonSchema } from './json-schema.js'

/** The fields of every success (docs/protocol/conventions.md#success). */
const envelope = {
  result: { const: 'success' },
  msg: { const: '' },
}
const ignored = {
  ignored_parameters_unsupported: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description:
      'Names of parameters that were sent and that the operation does not have, sorted; only when there are any.',
  },
}

/** The response 200 of an operation that returns `fields`. */
export function successResponse(fields: JsonSchema, example?: unknown) {
  const content = { schema: inEnvelope(fields), ...(example !== undefined && { example }) }
  return { description: 'Success.', content: { 'application/json': content } }
}

function inEnvelope(fields: JsonSchema): JsonSchema {
  const choices = fields.anyOf ?? fields.oneOf
  if (Array.isArray(choices)) {
    const all = choices.map(choice => JSON.stringify(inEnvelope(choice as JsonSchema)))
    const [only, ...others] = [...new Set(all)].map(text => JSON.parse(text) as JsonSchema)
    return others.length === 0 && only ? only : { ...fields, anyOf: [only, ...others] }
  }
  const { properties = {}, required = [], ...rest } = fields
  return {
    ...rest,
    properties: { ...envelope, ...(properties as object), ...ignored },
    required: [...new Set(['result', 'msg', ...(required as string[])])],
  }
}
