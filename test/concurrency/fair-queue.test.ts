import t from 'tap'
import { FairQueue, RecentUse } from '../../server/concurrency/fair-queue.js'

interface Job {
  readonly account: number | null
  readonly name: string
}
const job = (account: number | null, name: string): Job => ({ account, name })

t.test('next is the account that used least, and of its jobs the oldest', async t => {
  const use = new RecentUse(() => 0)
  const queue = new FairQueue<Job>(use)
  for (const name of ['a', 'b', 'c', 'd']) queue.add(job(1, name))
  queue.add(job(2, 'x'))
  queue.add(job(2, 'y'))
  queue.add(job(null, 'anonymous'))
  const order: (string | undefined)[] = []
  for (let next = queue.take(); next; next = queue.take()) {
    order.push(next.name)
    use.add(next.account, 10)
  }
  t.same(order, ['a', 'x', 'anonymous', 'b', 'y', 'c', 'd'])
  t.equal(queue.size, 0)
  queue.add(job(1, 'e'))
  queue.add(job(3, 'newcomer'))
  t.same(
    queue.inOrder().map(({ name }) => name),
    ['newcomer', 'e'],
  )
})

t.test('what an account used counts less with time', async t => {
  let now = 0
  const use = new RecentUse(() => now)
  use.add(1, 1000)
  use.add(2, 600)
  now = 60_000
  t.equal(use.of(1), 500)
  use.add(1, 20)
  t.same(
    use.all,
    new Map([
      [1, 520],
      [2, 300],
    ]),
  )
  t.equal(use.of(3), 0)
})

t.test('a job is taken out once, and its line goes with its last job', async t => {
  const queue = new FairQueue<Job>(new RecentUse())
  const [first, second] = [job(1, 'a'), job(1, 'b')]
  queue.add(first)
  t.equal(queue.remove(second), false)
  queue.add(second)
  t.equal(queue.sizeOf(1), 2)
  t.equal(queue.remove(first), true)
  t.equal(queue.remove(first), false)
  t.equal(queue.take(), second)
  t.equal(queue.take(), undefined)
  t.equal(queue.sizeOf(1), 0)
})
