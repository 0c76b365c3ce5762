// After each answer of each route, the next request on the connection is answered as well: directly, and behind the documented nginx.
import t from 'tap'
import { routes } from '../../../server/api/index.js'
import { type EdgeRequest, ReusedConnection, requestsTo } from '../../http/reuse.js'
import { nativePaths } from '../../support/native-paths.js'
import { createPerson } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { startEdge } from './edge.js'

// A worker in this process knows the routes that are registered in every other one.
const { nativeRoutes, organization } = await startServer(t)
const edge = await startEdge(t, organization)
const owner = await createPerson(organization.sql, edge.url)
const native = [...(await nativePaths(nativeRoutes, { ...edge, sql: organization.sql }, owner)).values()].flat()
const kinds = [
  'GET 200',
  'GET 206',
  'GET 302',
  'GET 304',
  'GET 400',
  'GET 401',
  'GET 404',
  'GET 412',
  'GET 416',
  'GET 426',
]
const others = ['HEAD 200', 'HEAD 302', 'HEAD 304', 'HEAD 404', 'OPTIONS 204', 'POST 200', 'POST 405']

/** With credentials only what changes nothing: an operation without its parameters may deactivate the account. */
function* requestsToOperations(): Generator<EdgeRequest> {
  for (const path of new Set(routes.map(({ path }) => `/api/v1${path.replace(/\{[^}]*\}/g, '1')}`))) {
    yield* requestsTo(path, null)
    yield* requestsTo(path, owner).filter(({ method }) => ['GET', 'HEAD', 'OPTIONS'].includes(method))
  }
  const [post] = requestsTo('/api/v1/messages/render', owner).filter(({ method }) => method === 'POST')
  if (!post) throw new Error('there is no POST')
  const form = { ...post.headers, 'Content-Length': 9, 'Content-Type': 'application/x-www-form-urlencoded' }
  yield { ...post, headers: form, body: 'content=a' }
}

function* allRequests(): Generator<EdgeRequest> {
  for (const path of native) {
    yield* requestsTo(path, owner)
    yield* requestsTo(path, null).slice(0, 3)
  }
  yield* requestsToOperations()
}

for (const [where, endpoint] of Object.entries(edge.endpoints)) {
  t.test(where, async t => {
    const connection = new ReusedConnection(endpoint)
    const complaints: string[] = []
    for (const request of allRequests()) {
      const complaint = await connection.complaintOf(request)
      if (complaint) complaints.push(complaint)
    }
    connection.end()
    t.equal(complaints.length, 0, complaints.slice(0, 20).join('\n'))
    t.same(
      [...kinds, ...others].filter(kind => !connection.seen.has(kind)),
      [],
      'answers of every kind were among them',
    )
  })
}
