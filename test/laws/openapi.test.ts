import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { areas, routes } from '../../server/api/index.js'
import { areaTexts } from '../../server/openapi/about.js'
import { callerOf } from '../../server/openapi/callers.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { errorFields, errorMeanings } from '../../server/openapi/error-meanings.js'
import { eventSchemaName } from '../../server/openapi/resources.js'
import { errorCodes } from '../../shared/errors.js'
import { eventDefs } from '../../shared/events/index.js'
import { checkAnswer, checkEventSchema } from '../support/conformance.js'

type Schema = Record<string, unknown>
interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; description?: string; schema?: Schema; content?: Schema }[]
  requestBody?: { content: Record<string, { schema: { properties: Record<string, Schema> } }> }
}

const document = openApiDocument(areas, { brand: 'service', url: '/api/v1' })
const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>)
const operations = paths.flatMap(([, place]) => Object.values(place))

t.test('the document is valid OpenAPI 3.1', async t => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.same(errors ?? [], [])
  t.equal(valid, true)
})

t.test('every schema of the document is valid JSON Schema, and what it refers to is there', async t => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false })
  ajv.addVocabulary(['components', 'info', 'openapi', 'paths', 'security', 'servers', 'tags', 'discriminator'])
  ajv.addSchema({ $id: 'https://parley.invalid/openapi.json', ...document })
  for (const name of Object.keys((document.components as { schemas: object }).schemas)) {
    t.ok(ajv.getSchema(`https://parley.invalid/openapi.json#/components/schemas/${name}`), name)
  }
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  const missing = references.filter(name => !(String(name) in (document.components as { schemas: object }).schemas))
  t.same([...new Set(missing)], [])
})

t.test('every operation is in the document, under one name, in an area that is described', async t => {
  const names = operations.map(({ operationId }) => operationId)
  t.equal(new Set(names).size, names.length)
  const tags = (document.tags as { name: string; description: string }[]).map(({ name }) => name)
  t.same([...new Set(operations.flatMap(({ tags }) => tags))].sort(), [...tags].sort())
  t.same(
    Object.keys(areas).filter(area => !areaTexts[area]),
    [],
    'server/openapi/about.ts',
  )
  for (const { operation, method, path } of routes) {
    const shape = (of: string) => of.replace(/\{\w+\*?\}/g, '{}')
    const found = paths.find(([one]) => shape(one) === shape(path))?.[1][method.toLowerCase()]
    t.ok(found, operation)
  }
})

t.test('every parameter has a type and a description', async t => {
  for (const { operationId, parameters = [], requestBody } of operations) {
    const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(propertiesOf(schema)),
    )
    const all = [...parameters.map(one => [one.name, one] as const), ...fields]
    const untold = all.filter(([, schema]) => !schema.description).map(([name]) => name)
    t.same(untold, [], `${operationId}: without a description`)
    const schemas = [...parameters.map(({ name, schema, content }) => [name, schema ?? content] as const), ...fields]
    const untyped = schemas.filter(([, schema]) => !isTyped(schema as Schema)).map(([name]) => name)
    t.same(untyped, [], `${operationId}: without a type`)
  }
})

const propertiesOf = ({ $ref, properties = {} }: Schema): Record<string, Schema> => {
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  return typeof $ref === 'string'
    ? propertiesOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
    : (properties as Record<string, Schema>)
}

const isTyped = (schema: Schema): boolean =>
  ['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref'].some(keyword => keyword in schema) || 'application/json' in schema

t.test('the document says who may call and what errors mean', async t => {
  for (const { operation, allow } of routes) t.ok(callerOf(allow), `${operation}: server/openapi/callers.ts`)
  for (const [code, { fields }] of Object.entries(errorCodes)) {
    t.ok(errorMeanings[code], `${code}: server/openapi/error-meanings.ts`)
    for (const field of fields) t.ok(errorFields[field], `${field} of ${code}: server/openapi/error-meanings.ts`)
  }
})

t.test('every event that clients get is in the document, with its meaning', async t => {
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  for (const { name, doc } of eventDefs.values()) {
    const isInternal = name.startsWith('_')
    t.equal(schemas[eventSchemaName(name)]?.description, isInternal ? undefined : doc, name)
  }
})

t.test('an event that does not follow its definition is found', async t => {
  const heartbeat = { id: 1, type: 'heartbeat' }
  const user = { user_id: 2, email: 'ann@test.example', full_name: 'Ann' }
  const reaction = {
    id: 1,
    type: 'reaction',
    op: 'add',
    message_id: 5,
    user_id: 2,
    user,
    emoji_name: 'x',
    emoji_code: 'y',
  }
  t.same(checkEventSchema(heartbeat), [])
  t.same(checkEventSchema({ ...reaction, reaction_type: 'unicode_emoji' }), [])
  t.match(checkEventSchema(reaction), [/reaction_type/], 'a field is missing')
  t.match(checkEventSchema({ ...heartbeat, more: 1 }), [/more/], 'a field too many')
  t.match(checkEventSchema({ ...heartbeat, id: 'x' }), [/id must be integer/])
  t.match(checkEventSchema({ id: 1, type: 'surprise' }), [/no event surprise/])
  const answer = { method: 'GET', path: '/events', status: 200, body: { result: 'success', msg: '', queue_id: 'q' } }
  t.same(checkAnswer({ ...answer, body: { ...answer.body, events: [heartbeat] } }), [])
  t.not(checkAnswer({ ...answer, body: { ...answer.body, events: [reaction] } }).length, 0)
})

t.test('what the brand stands in carries it', async t => {
  const branded = JSON.stringify(openApiDocument(areas, { brand: 'sample', url: '/api/v1' }))
  // No comparison of the texts: printing the difference of such long texts takes minutes.
  t.ok(branded.includes('"sample_feature_level"'))
  t.notOk(branded.includes('"service_feature_level"'))
})

t.test('an answer that the document does not describe is found', async t => {
  const check = (method: string, path: string, status: number, body: object) =>
    checkAnswer({ method, path, status, body })
  const success = { result: 'success', msg: '' }
  const error = { result: 'error', msg: 'No.' }

  t.same(check('GET', '/get_stream_id', 200, { ...success, stream_id: 5 }), [])
  t.same(check('GET', '/get_stream_id?stream=x', 200, { ...success, stream_id: 5 }), [])
  t.match(check('GET', '/get_stream_id', 200, success), [/get_stream_id: .*stream_id/], 'a field is missing')
  t.match(check('GET', '/get_stream_id', 200, { ...success, stream_id: 5, name: 'x' }), [/"name"/], 'a field too many')
  t.match(check('GET', '/get_stream_id', 200, { ...success, stream_id: 'x' }), [/stream_id must be integer/])
  t.match(check('GET', '/get_stream_id', 200, { stream_id: 5 }), [/result/, /msg/], 'no envelope')
  t.match(check('POST', '/nothing_here', 200, success), [/a success of what is not there/])

  t.same(check('GET', '/get_stream_id', 400, { ...error, code: 'BAD_REQUEST' }), [])
  t.match(check('GET', '/get_stream_id', 409, { ...error, code: 'BAD_REQUEST' }), [/BAD_REQUEST with status 409/])
  t.match(check('GET', '/get_stream_id', 400, { ...error, code: 'BAD_NARROW', desc: '' }), [
    /BAD_NARROW with status 400/,
  ])
  t.match(check('GET', '/get_stream_id', 400, error), [/undefined/, /undefined/], 'no code')
  t.match(check('GET', '/get_stream_id', 400, { ...error, code: 'REQUEST_VARIABLE_MISSING' }), [/var_name/])
  t.same(check('GET', '/nothing_here', 404, { ...error, code: 'NOT_FOUND' }), [])
  t.match(check('GET', '/nothing_here', 400, { ...error, code: 'BAD_REQUEST' }), [/there is no such operation/])
})
