import t from 'tap'
import { SharedQuestion } from '../../server/concurrency/shared-question.js'

/** Records the keys of each call, which ends when the test says so. */
function recorded() {
  const calls: { keys: readonly string[]; end(error?: Error): void }[] = []
  const question = new SharedQuestion<string, string>(
    keys =>
      new Promise((resolve, reject) => {
        const answers = new Map(keys.filter(key => key !== 'unknown').map(key => [key, `${key} of ${calls.length}`]))
        calls.push({ keys, end: error => (error ? reject(error) : resolve(answers)) })
      }),
  )
  return { calls, question }
}

const call = async (calls: readonly unknown[], count: number) => {
  while (calls.length < count) await new Promise(setImmediate)
}

t.test('questions of one turn share a call, and equal ones a key', async t => {
  const { calls, question } = recorded()
  const answers = ['a', 'b', 'a', 'unknown'].map(key => question.of(key))
  await call(calls, 1)
  calls[0]?.end()
  t.same(await Promise.all(answers), ['a of 0', 'b of 0', 'a of 0', undefined])
  t.same(
    calls.map(({ keys }) => keys),
    [['a', 'b', 'unknown']],
  )
})

t.test('a question that comes while a call runs is not answered by it, also if it is the same', async t => {
  const { calls, question } = recorded()
  const first = question.of('a')
  await call(calls, 1)
  const later = [question.of('a'), question.of('b')]
  await new Promise(setImmediate)
  t.equal(calls.length, 1, 'one call runs at a time')
  calls[0]?.end()
  t.equal(await first, 'a of 0')
  await call(calls, 2)
  calls[1]?.end()
  t.same(await Promise.all(later), ['a of 1', 'b of 1'])
})

t.test('a failed call rejects its own questions and no later ones', async t => {
  const { calls, question } = recorded()
  const first = [question.of('a'), question.of('b')]
  await call(calls, 1)
  const later = question.of('a')
  calls[0]?.end(new Error('on purpose'))
  for (const answer of first) await t.rejects(answer, { message: 'on purpose' })
  await call(calls, 2)
  calls[1]?.end()
  t.equal(await later, 'a of 1')
})
