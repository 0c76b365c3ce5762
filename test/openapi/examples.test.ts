// Sends the requests of the examples, and compares them with server/openapi/examples/. With WRITE_EXAMPLES=1 it writes these files.
import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { areas } from '../../server/api/index.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { type Example, exampleFile, readExamples } from '../../server/openapi/examples.js'
import { linkSources } from '../../server/openapi/links.js'
import { documentedRoutes } from '../../server/openapi/paths.js'
import { pointer } from '../support/conformance.js'
import { startServer } from '../support/server.js'
import { showAll } from './examples/all.js'
import { jwtSecret, makeCast } from './examples/cast.js'
import { shapeOf } from './examples/presentable.js'
import { Recorder } from './examples/recorder.js'

const server = await startServer(t, {
  PUBLIC_URL: 'https://chat.example',
  JWT_SECRETS: JSON.stringify([{ alg: 'HS256', key: jwtSecret }]),
})
const recorder = new Recorder()
const cast = await makeCast(server, recorder)
await showAll(server, recorder, cast)

if (process.env.WRITE_EXAMPLES === '1') writeExamples()
const stored = readExamples(Object.keys(areas))
const requestOf = (example: Example | undefined) => example && [example.path, example.parameters]
// An operation that is always refused has no example.
const operations = documentedRoutes(Object.values(areas).flat())
  .filter(({ doc }) => !doc.startsWith('Refused: '))
  .map(({ operation }) => operation)

t.test('each operation has the example that the tests send, and the server answers in its form', async t => {
  t.same(Object.keys(stored).sort(), operations.toSorted(), 'run WRITE_EXAMPLES=1 npm test test/openapi/examples')
  for (const operation of operations) {
    const [sent, example] = [recorder.examples.get(operation), stored[operation]]
    t.same(requestOf(sent), requestOf(example), `${operation}: the request`)
    t.same(shapeOf(sent?.answer), shapeOf(example?.answer), `${operation}: the answer`)
  }
})

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Content[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, Content>>; links?: Links }>>
}
type Content = { readonly schema: object; readonly example?: unknown; readonly name?: string; readonly required?: true }
type Links = Readonly<
  Record<string, { operationId: string; parameters?: Record<string, string>; requestBody?: Record<string, string> }>
>

const document = openApiDocument(areas, { brand: 'service', url: '/api/v1' })
const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>)
const documented = paths.flatMap(([, place]) => Object.values(place))

t.test('the examples of the document follow its schemas', async t => {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  })
  const id = 'https://parley.invalid/examples.json'
  ajv.addSchema({ $id: id, ...document })
  for (const [path, place] of paths) {
    for (const [method, operation] of Object.entries(place)) {
      if (!operations.includes(operation.operationId)) continue
      for (const [where, { schema: _, ...content }] of contentsOf(operation)) {
        t.ok('example' in content, `${operation.operationId}: ${where}`)
        const keys = ['paths', path, method, ...where, 'schema']
        const validate = ajv.getSchema(`${id}#/${keys.map(pointer).join('/')}`)
        t.ok(validate?.(content.example), `${operation.operationId}: ${where}: ${ajv.errorsText(validate?.errors)}`)
      }
    }
  }
})

/** What an operation takes and gives, by its place in the operation; of optional parameters only those of the example. */
function contentsOf({ parameters = [], requestBody, responses }: Operation): (readonly [readonly string[], Content])[] {
  const [request] = Object.entries(requestBody?.content ?? {})
  const status = responses[200] ? '200' : '302'
  const [answer] = Object.entries(responses[status]?.content ?? {})
  return [
    ...parameters
      .map((one, i) => [['parameters', String(i)], one] as const)
      .filter(([, one]) => one.required || 'example' in one),
    ...(request ? [[['requestBody', 'content', request[0]], request[1]] as const] : []),
    ...(answer ? [[['responses', status, 'content', answer[0]], answer[1]] as const] : []),
  ]
}

t.test('each link takes a value of the answer to a parameter of an operation', async t => {
  const names = new Map(documented.map(operation => [operation.operationId, operation]))
  const linked = documented.filter(({ responses }) => responses[200]?.links)
  t.same(linked.map(({ operationId }) => operationId).sort(), Object.keys(linkSources).sort())
  for (const { operationId, responses } of linked) {
    for (const { operationId: to, ...given } of Object.values(responses[200]?.links ?? {})) {
      const [[name, expression]] = Object.entries(given.parameters ?? given.requestBody ?? {}) as [[string, string]]
      const target = names.get(to)
      const known = given.parameters ? target?.parameters?.map(one => one.name) : stored[to]?.parameters
      t.ok(given.parameters ? (known as string[]).includes(name) : name in (known ?? {}), `${operationId} to ${to}`)
      const keys = expression.replace(/^\{?\$response\.body#\/|\}$/g, '').split('/')
      const value = keys.reduce<unknown>((of, key) => (of as Record<string, unknown>)[key], stored[operationId]?.answer)
      t.ok(['number', 'string'].includes(typeof value), `${operationId}: ${expression}`)
    }
  }
})

function writeExamples(): void {
  for (const [area, routes] of Object.entries(areas)) {
    const known = documentedRoutes(Object.values(areas).flat()).map(({ operation }) => operation)
    const ofArea = routes.map(({ operation }) => operation).filter(operation => known.includes(operation))
    const examples = ofArea.map(operation => [operation, recorder.examples.get(operation)] as const)
    writeFileSync(exampleFile(area), `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`)
  }
}
