import t from 'tap'
import { AccountTurns } from '../../server/concurrency/account-turns.js'

const tick = () => new Promise(resolve => setImmediate(resolve))

t.test(
  'one task runs at a time, and an account with many tasks delays another one by the one that is running',
  async t => {
    const turns = new AccountTurns(100, 'too many')
    const order: string[] = []
    let running = 0
    const task = (name: string) => async () => {
      t.equal(++running, 1)
      order.push(name)
      await new Promise(resolve => setTimeout(resolve, 5))
      running--
      return name
    }
    const many = Array.from({ length: 5 }, (_, i) => turns.run(1, task(`busy ${i}`)))
    await tick()
    const other = turns.run(2, task('other'))
    t.same(await Promise.all([...many, other]), ['busy 0', 'busy 1', 'busy 2', 'busy 3', 'busy 4', 'other'])
    t.same(order.slice(0, 2), ['busy 0', 'other'])
    t.same(order.slice(2), ['busy 1', 'busy 2', 'busy 3', 'busy 4'])
  },
)

t.test('a task that fails ends its turn', async t => {
  const turns = new AccountTurns(100, 'too many')
  await t.rejects(
    turns.run(1, () => Promise.reject(new Error('of the task'))),
    { message: 'of the task' },
  )
  t.equal(await turns.run(1, async () => 'next'), 'next')
})

t.test('too many waiting tasks of one account are refused, not those of others', async t => {
  const turns = new AccountTurns(2, 'too many')
  let end = () => {}
  const first = turns.run(1, () => new Promise<void>(resolve => (end = resolve)))
  const waiting = [turns.run(1, async () => 1), turns.run(1, async () => 2)]
  await t.rejects(
    turns.run(1, async () => 3),
    { code: 'SERVER_NOT_READY', message: 'too many' },
  )
  const other = turns.run(2, async () => 'other')
  end()
  await first
  t.same(await Promise.all([...waiting, other]), [1, 2, 'other'])
})
