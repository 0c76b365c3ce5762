import t from 'tap'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { clear, freshPattern, listed, url_template } from './scene.js'

const server = await startServer(t)

t.test('every account may list them; nobody without one', async t => {
  const admin = await clear(server)
  t.same(await listed(admin), [])
  const { pattern } = freshPattern()
  await admin.ok('POST', '/realm/filters', { pattern, url_template })
  const people = [await server.person(), await server.person({ role: 600 })]
  people.push(await server.person({ bot_type: 1, bot_owner_id: admin.id }))
  for (const person of people) t.match(await listed(person), [{ pattern, url_template }])
  t.match(await server.api(null).get('/realm/linkifiers'), { status: 401, body: { code: 'UNAUTHORIZED' } })
})

t.test('a list of many is as many statements as a list of one', async t => {
  const admin = await clear(server)
  const add = () => admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })
  await add()
  const few = await queriesOf(server, () => listed(admin))
  for (let i = 0; i < 10; i++) await add()
  t.equal(await queriesOf(server, () => listed(admin)), few)
})
