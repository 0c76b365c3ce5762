import t from 'tap'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('anyone reads the emoji names where the register answer says', async t => {
  const person = await server.person()
  const { server_emoji_data_url } = await person.ok('POST', '/register', {
    fetch_event_types: ['realm'],
    event_types: [],
  })
  // The server of the test does not know its port before it listens.
  const response = await fetch(new URL(new URL(server_emoji_data_url).pathname, server.url))
  t.equal(response.status, 200)
  const body = (await response.json()) as { result: string; code_to_names: Record<string, string[]> }
  t.equal(body.result, 'success')
  t.ok(body.code_to_names['1f44d']?.includes('+1'))
  t.same(await server.api(null).ok('GET', '/emoji_data'), body)
})

t.test('it takes no other method', async t => {
  const answer = await server.api(null).post('/emoji_data')
  t.same([answer.status, answer.body.code, answer.body.allowed_methods], [405, 'METHOD_NOT_ALLOWED', ['GET', 'HEAD']])
})
