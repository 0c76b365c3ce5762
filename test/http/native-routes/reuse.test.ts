// After each answer of a route of the native layer, the next request on the connection is answered as well.
import t from 'tap'
import { nativePaths } from '../../support/native-paths.js'
import { startServer } from '../../support/server.js'
import { ReusedConnection, requestsTo } from '../reuse.js'

const server = await startServer(t, { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_ADDRESS: '0', RATE_LIMIT_USER: '0' })
const owner = await server.person()
const paths = await nativePaths(server.nativeRoutes, server, owner)

const connection = new ReusedConnection({ port: Number(new URL(server.url).port) })
t.teardown(() => connection.end())

for (const [pattern, all] of paths) {
  t.test(pattern, async t => {
    const complaints: string[] = []
    for (const path of all) {
      for (const request of [...requestsTo(path, owner), ...requestsTo(path, null).slice(0, 3)]) {
        const complaint = await connection.complaintOf(request)
        if (complaint) complaints.push(complaint)
      }
    }
    t.same(complaints, [])
  })
}

t.test('answers of every kind were among them', async t => {
  const kinds = [
    'GET 200',
    'GET 206',
    'GET 302',
    'GET 304',
    'GET 401',
    'GET 404',
    'GET 412',
    'GET 416',
    'GET 426',
    'HEAD 200',
    'HEAD 302',
    'HEAD 304',
    'HEAD 404',
    'OPTIONS 204',
    'POST 405',
    'PURGE 405',
  ]
  t.same(
    kinds.filter(kind => !connection.seen.has(kind)),
    [],
  )
})
