import t from 'tap'
import { startServer } from '../../support/server.js'

t.test('other requests are answered while many registrations run', async t => {
  const server = await startServer(t)
  const person = await server.person()
  await person.ok('GET', '/users/me')
  let answered = 0
  const crowd = Array.from({ length: 60 }, () => person.ok('POST', '/register').then(() => answered++))
  await crowd[0]
  // This request needs a database connection, too.
  await person.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  t.ok(answered < 60, `${answered} of 60 came first`)
  await Promise.all(crowd)
})
