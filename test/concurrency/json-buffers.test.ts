// Buffers of answers are used again when nothing reads them any more. A reader that is slow: test/http/write-chunks.
import t from 'tap'
import { JsonBuffers, LentBytes } from '../../server/concurrency/json-buffers.js'
import { startServer } from '../support/server.js'

t.test('a large buffer that was given back is used again, once', async t => {
  const buffers = new JsonBuffers()
  const buffer = buffers.take(100_000)
  const lent = buffers.lend(buffer, 70_000) as LentBytes
  t.equal(lent.length, 70_000)
  t.not(buffers.take(100_000), buffer, 'it is in use')
  lent.giveBack()
  lent.giveBack()
  t.not(buffers.take(10_000_000), buffer, 'it is too small')
  t.equal(buffers.take(100_000), buffer)
  t.not(buffers.take(100_000), buffer)
})

t.test('small, huge and many buffers are not kept', async t => {
  const buffers = new JsonBuffers()
  for (const size of [100, 5_000_000]) {
    const buffer = buffers.take(size)
    const lent = buffers.lend(buffer, size)
    if (lent instanceof LentBytes) lent.giveBack()
    t.not(buffers.take(size), buffer)
  }
  const some = Array.from({ length: 20 }, () => buffers.take(100_000))
  for (const buffer of some) buffers.give(buffer)
  const again = Array.from({ length: 20 }, () => buffers.take(100_000))
  t.equal(again.filter(buffer => some.includes(buffer)).length, 6)
})

t.test('a part of lent bytes is a plain array of the same bytes', async t => {
  const lent = new JsonBuffers().lend(new ArrayBuffer(100_000), 80_000)
  const part = lent.subarray(10, 20)
  t.notOk(part instanceof LentBytes)
  t.equal(part.buffer, lent.buffer)
})

t.test('each of many readers of long lists gets its own list', async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  const people = [owner, await server.person(), await server.person()]
  const subscriptions = Array.from({ length: 400 }, (_, n) => ({ name: `channel ${n}`, description: 'd'.repeat(900) }))
  for (const from of [0, 100, 200, 300])
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: subscriptions.slice(from, from + 100),
      principals: people.map(person => person.id),
    })
  for (const [n, person] of people.entries())
    await person.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: await Promise.all(
        [1, 2, 3].map(async one => ({
          stream_id: (await owner.ok('GET', '/get_stream_id', { stream: `channel ${one}` })).stream_id,
          property: 'color',
          value: `#00000${n + 1}`,
        })),
      ),
    })
  const expected = await Promise.all(people.map(person => person.ok('GET', '/users/me/subscriptions')))
  const all = Array.from({ length: 60 }, async (_, i) =>
    t.same(await people[i % 3]?.ok('GET', '/users/me/subscriptions'), expected[i % 3]),
  )
  await Promise.all(all)
})
