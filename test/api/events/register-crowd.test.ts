import t from 'tap'
import { Semaphore } from '../../../server/concurrency/semaphore.js'
import { startServer } from '../../support/server.js'

t.test('only so many go on at once, the others in their order; a failure hands its turn on', async t => {
  const semaphore = new Semaphore(2)
  const order: number[] = []
  let running = 0
  const work = (n: number) =>
    semaphore.run(async () => {
      order.push(n)
      running++
      t.ok(running <= 2)
      await new Promise(resolve => setImmediate(resolve))
      running--
      if (n === 3) throw new Error('on purpose')
      return n
    })
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work))
  t.same(order, [0, 1, 2, 3, 4, 5])
  t.same(
    results.map(result => result.status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

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
