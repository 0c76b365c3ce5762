import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'

t.test('each file that test/run/order.mjs starts early exists', async t => {
  const text = readFileSync(join(projectRoot, 'test/run/order.mjs'), 'utf8')
  const named = [...text.matchAll(/'(test\/[^']+)'/g)].map(([, path]) => path as string)
  t.ok(named.length > 0)
  t.same(
    named.filter(path => !existsSync(join(projectRoot, path))),
    [],
  )
})
