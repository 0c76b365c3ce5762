import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PublishingOrder } from '../../server/actions/publishing-order.js'

function line(longestWaitMs?: number) {
  const order = new PublishingOrder(longestWaitMs)
  const told: string[] = []
  const enter = (name: string) => {
    const settle = order.enter()
    return { commits: () => settle(() => told.push(name)), fails: () => settle(null) }
  }
  return { enter, told }
}

t.test('events go out in the order of the writes, however the commits come back', async t => {
  const { enter, told } = line()
  const [a, b, c] = [enter('a'), enter('b'), enter('c')]
  b.commits()
  c.commits()
  t.same(told, [], 'the first one may still be told')
  a.commits()
  t.same(told, ['a', 'b', 'c'])
})

t.test('a transaction that fails delays no other transaction', async t => {
  const { enter, told } = line()
  const [a, b] = [enter('a'), enter('b')]
  b.commits()
  a.fails()
  t.same(told, ['b'])
})

t.test('a stuck worker is passed over, and its return is reported', async t => {
  const { enter, told } = line(5)
  const [a, b] = [enter('a'), enter('b')]
  b.commits()
  t.same(told, [])
  while (told.length === 0) await setTimeout(1)
  t.same(told, ['b'])
  a.commits()
  t.same(told, ['b', 'a'])
})

t.test('who commits learns when its events are published', async t => {
  const { enter, told } = line()
  const [a, b] = [enter('a'), enter('b')]
  const seen: string[] = []
  const published = b.commits().then(() => seen.push(...told))
  await setTimeout(1)
  t.same(seen, [], 'the first one may still be told')
  await a.fails()
  await published
  t.same(seen, ['b'])
})
