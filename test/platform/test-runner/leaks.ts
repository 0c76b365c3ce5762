import { createServer } from 'node:http'
import t from 'tap'

t.test('a server is not closed', async t => {
  createServer().listen(0)
  t.ok(true)
})
