import t from 'tap'
import { routes } from '../../server/api/index.js'
import { pairs, servedBeside } from '../support/operations.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
// Paths that do not begin with a slash are outside /api/v1.
const absent = pairs(routes).filter(
  ({ wire, route }) => !route && wire.path.startsWith('/') && servedBeside[wire.id] === undefined,
)

t.test('an unknown operation is refused as such for every caller', async t => {
  t.ok(absent.length > 0)
  for (const { wire } of absent) {
    const path = wire.path.replace(/\{\w+_id\}/g, '1').replace(/\{\w+\}/g, 'x')
    for (const who of [owner, server.api(null)]) {
      const { status, body } = await who.call(wire.method, path)
      const { result, code } = body
      // The path exists with another method.
      const expected = status === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
      t.same({ result, code }, { result: 'error', code: expected }, `${wire.id}: ${wire.method} ${path}`)
      t.ok([404, 405].includes(status), wire.id)
    }
  }
})
