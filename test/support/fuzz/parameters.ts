import type { FuzzedParameter, Schema } from './operations.js'

/** The parameters of an operation of the document, those of its body included, the file excepted. */
export function parametersIn({ parameters = [], requestBody }: Schema, document: Schema): FuzzedParameter[] {
  const given = (parameters as Schema[]).map(one => ({
    name: one.name as string,
    place: one.in as 'path' | 'query' | 'header',
    required: one.required === true,
    schema: (one.schema?.contentSchema ?? one.schema) as Schema,
  }))
  const [content] = Object.values((requestBody?.content ?? {}) as Record<string, Schema>)
  const { properties = {}, required = [] } = resolved(content?.schema ?? {}, document)
  const form = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
    name,
    place: 'form' as const,
    required: required.includes(name),
    schema,
  }))
  return [...given, ...form.filter(({ schema }) => schema.format !== 'binary')]
}

/** The schema itself, if another one refers to it. */
export function resolved(schema: Schema, document: Schema): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const keys = $ref.replace('#/', '').split('/')
  return resolved(
    keys.reduce((of, key) => of[key.replaceAll('~1', '/')], document),
    document,
  )
}
