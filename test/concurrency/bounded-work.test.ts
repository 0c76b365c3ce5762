import t from 'tap'
import { BoundedWork } from '../../server/concurrency/bounded-work.js'

t.test('only so many pieces run at once, the others in their order; a failure hands its turn on', async t => {
  const bounded = new BoundedWork(2, 10, 'too many')
  const order: number[] = []
  let running = 0
  const work = (n: number) =>
    bounded.run(async () => {
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

t.test('a piece beyond the line is refused and does not run; after the work there is room again', async t => {
  const bounded = new BoundedWork(2, 3, 'too many')
  const ends: (() => void)[] = []
  let runs = 0
  const wait = () => {
    runs++
    return new Promise<void>(resolve => ends.push(resolve))
  }
  const admitted = Array.from({ length: 5 }, () => bounded.run(wait))
  for (let i = 0; i < 2; i++) await t.rejects(bounded.run(wait), { code: 'SERVER_NOT_READY', message: 'too many' })
  t.equal(runs, 2)
  ends.shift()?.()
  await admitted[0]
  const late = bounded.run(wait)
  await t.rejects(bounded.run(wait), { code: 'SERVER_NOT_READY' })
  while (runs < 6) {
    ends.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  for (const end of ends) end()
  await Promise.all([...admitted, late])
  t.equal(runs, 6)
})

t.test('work that throws before it waits fails alone', async t => {
  const bounded = new BoundedWork(1, 0, 'too many')
  const failing = () => {
    throw new Error('on purpose')
  }
  await t.rejects(bounded.run(failing), { message: 'on purpose' })
})

t.test('a place that rests stays empty for a while after its task, also after a failure', async t => {
  const bounded = new BoundedWork(1, 2, 'too many', { rests: true })
  let begun = 0
  const work = async () => {
    begun++
    await new Promise(resolve => setTimeout(resolve, 20))
    if (begun === 2) throw new Error('on purpose')
    return begun
  }
  const [first, second, third] = [bounded.run(work), bounded.run(work), bounded.run(work)]
  await t.rejects(bounded.run(work), { code: 'SERVER_NOT_READY' })
  t.equal(await first, 1)
  t.equal(begun, 1, 'the answer does not wait for the rest')
  await t.rejects(second, { message: 'on purpose' })
  t.equal(begun, 2)
  t.equal(await third, 3)
})
