import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { routes } from '../../server/api/index.js'
import { projectRoot } from '../../server/config/paths.js'
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

t.test('docs/protocol/compatibility.md names all operations that are not served, and no other', async t => {
  const page = readFileSync(join(projectRoot, 'docs/protocol/compatibility.md'), 'utf8')
  const [, section = ''] = page.split('\n## Not served\n')
  const listed = [...section.matchAll(/`([a-z_0-9]+)`[,.]/g)].map(([, name]) => name)
  const ids = pairs(routes).flatMap(({ wire, route }) => (route || servedBeside[wire.id] ? [] : [wire.id]))
  t.same(listed.sort(), ids.sort())
})
