// Timeouts of statements and of lock waits: the caller gets an answer, no data is written, the worker continues.
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import type { Sql } from '../../server/store/driver/db.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { channelOf, say } from '../api/messages/scene.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { LOG_LEVEL: 'silent' })
const { ctx, sql } = server

const limitsOf = async (pool: Sql) => {
  const [row] = await pool<{ statement: number; wait: number }[]>`
    select extract(epoch from current_setting('statement_timeout')::interval)::int * 1000 as statement,
      extract(epoch from current_setting('lock_timeout')::interval)::int * 1000 as wait`
  return row
}

t.test('each kind of statement has its own time, and work on the whole organization has all of it', async t => {
  const wait = budgets.lockWait.most
  t.same(await limitsOf(ctx.sql), { statement: budgets.requestStatement.most, wait })
  t.same(await limitsOf(ctx.searching), { statement: budgets.searchStatement.most, wait })
  for (const writer of ctx.messageWriter.connections) {
    t.same(await limitsOf(writer), { statement: budgets.messageStatement.most, wait })
  }
  const job = openDatabase(server.organization.services.databaseUrl, server.organization.schema, 1)
  t.same(await limitsOf(job), { statement: 0, wait: 0 })
  await job.end()
})

t.test(
  'who waits too long for what another one holds is asked to try again, and so is a search that takes too long',
  async t => {
    const writer = await server.person()
    const [held, free] = [await channelOf([writer]), await channelOf([writer])]
    // Only one waits for this one: in a queue of several, a wait may begin again and reach the limit of the statement.
    const changed = await channelOf([writer])
    await say(writer, held.id, 'before')
    const send = (to: number) => writer.post('/messages', { type: 'channel', to, topic: 'talk', content: 'hello' })
    const search = { anchor: 'newest', num_before: 9, narrow: [['search', 'before']] }
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let holds = () => {}
    const isHeld = new Promise<void>(resolve => {
      holds = resolve
    })
    const holder = sql.begin(async tx => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`select from channels where id = any(${[held.id, changed.id]}) for update`
      await tx`lock table reactions`
      holds()
      await released
    })
    await isHeld
    const [locked, edited, slow, beside] = await Promise.all([
      Promise.all([send(held.id), send(held.id)]),
      writer.patch(`/streams/${changed.id}`, { description: 'changed' }),
      writer.get('/messages', search),
      send(free.id),
    ])
    release()
    await holder
    const refusal = (msg: RegExp) => ({ status: 503, body: { code: 'SERVER_NOT_READY', msg } })
    for (const answer of [...locked, edited]) t.match(answer, refusal(/changing the same for too long/))
    t.match(slow, refusal(/took the database too long/))
    t.equal(beside.status, 200, 'what needs nothing of it is stored meanwhile, or when it is given up')
    const { messages } = await writer.ok('GET', '/messages', {
      ...search,
      narrow: [{ operator: 'channel', operand: held.id }],
    })
    t.equal(messages.length, 1, 'nothing of it was written')
    t.equal((await writer.get('/messages', search)).body.messages.length, 1)
    t.equal((await send(held.id)).status, 200)
  },
)

t.test('searches beyond those that may be under way wait, and too many are refused', async t => {
  const reader = await server.person()
  const search = { anchor: 'newest', num_before: 9, narrow: [['search', 'anything']] }
  const answers = await Promise.all(Array.from({ length: 150 }, () => reader.get('/messages', search)))
  const statuses = new Set(answers.map(answer => answer.status))
  t.ok(statuses.has(200))
  for (const { status, body } of answers) {
    if (status !== 200) t.match({ status, body }, { status: 503, body: { msg: /^Too many searches/ } })
  }
})
