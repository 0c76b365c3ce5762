import t from 'tap'
import { contextOfKey, RepeatedRequest } from '../../server/actions/create-once.js'
import { idempotencyKey, storedRequest } from '../../server/store/messages/idempotency-keys.js'
import { startServer } from '../support/server.js'

const { ctx, sql } = await startServer(t)
const keyed = (name: string) => ({ key: idempotencyKey(1, name), fingerprint: idempotencyKey(1, 'request') })
const answerOf = (made: number) => ({ made })

t.test('a transaction that fails stores nothing, and the action may try another one', async t => {
  const key = keyed('failing')
  const once = contextOfKey(ctx, key, answerOf)
  await t.rejects(
    once.write(async () => {
      throw new Error('not so')
    }),
    { message: 'not so' },
  )
  t.equal(await storedRequest(sql, key.key), undefined)
  t.equal(await once.write(async () => 5), 5)
  t.match(await storedRequest(sql, key.key), { answer: '{"made":5}' })
})

t.test('a second transaction of an action would not be protected: it is refused', async t => {
  const once = contextOfKey(ctx, keyed('twice'), answerOf)
  await once.write(async () => 5)
  let ran = false
  const more = once.write(async () => {
    ran = true
    return 6
  })
  await t.rejects(more, { message: /one transaction/ })
  t.notOk(ran)
})

t.test('with a stored key nothing runs', async t => {
  await contextOfKey(ctx, keyed('stored'), answerOf).write(async () => 5)
  let ran = false
  const repeat = contextOfKey(ctx, keyed('stored'), answerOf).write(async () => {
    ran = true
    return 6
  })
  await t.rejects(repeat, { message: new RepeatedRequest().message })
  t.notOk(ran)
})
