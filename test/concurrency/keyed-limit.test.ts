import t from 'tap'
import { KeyedLimit } from '../../server/concurrency/keyed-limit.js'

t.test('so many tasks of a key run at once, the others in their order; other keys do not wait', async t => {
  const limit = new KeyedLimit(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    limit.run(key, () => {
      begun.push(name)
      return new Promise<string>(resolve => ends.set(name, () => resolve(name)))
    })
  const tasks = ['a0', 'a1', 'a2', 'a3', 'b0'].map(name => run(name.slice(0, 1), name))
  await new Promise(resolve => setImmediate(resolve))
  t.same(begun, ['a0', 'a1', 'b0'])
  ends.get('a1')?.()
  t.equal(await tasks[1], 'a1')
  t.same(begun, ['a0', 'a1', 'b0', 'a2'])
  for (const name of ['a0', 'a2', 'b0']) ends.get(name)?.()
  await new Promise(resolve => setImmediate(resolve))
  ends.get('a3')?.()
  t.same(await Promise.all(tasks), ['a0', 'a1', 'a2', 'a3', 'b0'])
})

t.test('a task that fails gives its place on, and a key without tasks is forgotten', async t => {
  const limit = new KeyedLimit(1)
  const failing = limit.run('a', async () => {
    throw new Error('on purpose')
  })
  const next = limit.run('a', async () => 1)
  await t.rejects(failing, { message: 'on purpose' })
  t.equal(await next, 1)
  t.equal(limit.size, 0)
})
