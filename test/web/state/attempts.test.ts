import t from 'tap'
import { createAttempts } from '../../../server/web/look/attempts.js'

t.test('an attempt that fails says why, and the next one takes it back', async t => {
  const { attempt, error } = createAttempts()
  t.equal(await attempt(() => Promise.reject(new Error('The name is taken.'))), false)
  t.equal(error(), 'The name is taken.')
  const next = attempt(async () => t.equal(error(), ''))
  t.equal(await next, true)
  t.equal(error(), '')
})

t.test('it is busy as long as the attempt lasts, also one that fails', async t => {
  const { attempt, isBusy } = createAttempts()
  const during: boolean[] = []
  await attempt(async () => during.push(isBusy()))
  await attempt(async () => {
    during.push(isBusy())
    throw new Error('no')
  })
  t.same(during, [true, true])
  t.equal(isBusy(), false)
})

t.test('work that fails before it waits is a failed attempt, too', async t => {
  const { attempt, error } = createAttempts()
  const fails = (): Promise<unknown> => {
    throw new Error('no topic')
  }
  t.equal(await attempt(fails), false)
  t.equal(error(), 'no topic')
})
