import t from 'tap'
import { allCapabilities } from '../../support/in-step.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { clear, freshPattern, listed, url_template } from './scene.js'

const server = await startServer(t)

t.test('every account may list them; a caller without an account may not', async t => {
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

t.test('a stored template that is no link is sent as a fragment, and can still be removed', async t => {
  const admin = await clear(server)
  const { pattern, prefix } = freshPattern()
  const { id } = await admin.ok('POST', '/realm/filters', { pattern, url_template })
  await server.sql`
    update linkifiers set url_template = 'javascript:alert({id})',
      alternative_url_templates = array['data:text/html,{id}', 'https://x.org/{id}'] where id = ${id}`
  // Any change makes every worker reload the list.
  const other = await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })
  const url = '#javascript:alert({id})'
  t.match(await listed(admin), [{ id, url_template: url, alternative_url_templates: ['https://x.org/{id}'] }, {}])
  const { realm_linkifiers } = await admin.ok('POST', '/register', { client_capabilities: allCapabilities })
  t.match(realm_linkifiers, [{ id, url_template: url }, {}])
  const { rendered } = await admin.ok('POST', '/messages/render', { content: `${prefix}1` })
  t.equal(rendered, `<p><a href="#javascript:alert(1)">${prefix}1</a></p>`)
  await admin.ok('DELETE', `/realm/filters/${id}`)
  t.same(
    (await listed(admin)).map(one => one.id),
    [other.id],
  )
})
