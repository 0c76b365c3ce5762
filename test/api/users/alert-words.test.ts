import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { kinds, Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/alert_words'
const add = async (owner: Person, ...alert_words: string[]) =>
  (await owner.ok('POST', path, { alert_words })).alert_words
const write = async (from: Person, to: Person, content: string): Promise<number> =>
  (await from.ok('POST', '/messages', { type: 'direct', to: [to.id], content })).id

t.test('words are added once in any letter case, and removed', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const [ear, second] = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  t.same(await add(owner, ' Deploy ', '', '  ', 'on call', 'deploy'), ['Deploy', 'on call'])
  t.same(await add(owner, 'DEPLOY'), ['Deploy', 'on call'])
  t.same(await add(owner, 'émile'), ['Deploy', 'on call', 'émile'])
  const { alert_words } = await owner.ok('DELETE', path, { alert_words: ['ON CALL', 'unknown'] })
  t.same(alert_words, ['Deploy', 'émile'])
  t.same((await owner.ok('GET', path)).alert_words, alert_words)
  const events = await ear.inStep(t)
  t.same(kinds(events), Array(3).fill('alert_words'), 'not for a word that is there already')
  t.same(events.at(-1)?.alert_words, alert_words)
  t.same(await second.inStep(t), [])
})

t.test('messages with a word of a receiver have the flag', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  await add(owner, 'deploy')
  await add(await server.person(), 'deploy')
  const [ear, second] = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  const plain = await write(other, owner, 'deployed')
  const id = await write(other, owner, 'The **Deploy** begins')
  await write(owner, other, 'deploy')
  t.match(await ear.inStep(t), [{ flags: [] }, { flags: ['has_alert_word'] }, { flags: ['has_alert_word'] }])
  t.notMatch(JSON.stringify(await second.inStep(t)), 'has_alert_word')
  const alerted = async () => {
    const query = { narrow: [['is', 'alerted']], anchor: 'newest', num_before: 9, num_after: 0 }
    return (await owner.ok('GET', '/messages', query)).messages.map((message: { id: number }) => message.id)
  }
  t.equal((await alerted())[0], id)

  await other.ok('PATCH', `/messages/${id}`, { content: 'no such word' })
  t.match(await ear.inStep(t), [{ type: 'update_message', flags: [] }])
  await other.ok('PATCH', `/messages/${plain}`, { content: '> deploy.' })
  t.match(await ear.inStep(t), [{ type: 'update_message', flags: ['has_alert_word'] }])
  t.equal((await alerted())[0], plain)
  await owner.ok('DELETE', path, { alert_words: ['deploy'] })
  await write(other, owner, 'deploy')
  t.match(await ear.inStep(t), [{ type: 'alert_words' }, { type: 'message', flags: [] }])
  t.equal((await alerted())[0], plain, 'messages keep their flags')
})

t.test('refused', async t => {
  const owner = await server.person()
  const ear = await Listener.start(server.ctx, owner)
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  for (const alert_words of [['x'.repeat(101)], ['good', 'a\0b'], [1], 'word', { a: 1 }]) {
    t.match(await owner.post(path, { alert_words }), refused, JSON.stringify(alert_words))
  }
  const most = Array.from({ length: budgets.alertWords.most }, (_, i) => `word ${i}`)
  t.match(await owner.post(path, { alert_words: [...most, 'another'] }), refused)
  t.match(await owner.post(path), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
  t.match(await owner.delete(path, { alert_words: 'x' }), refused)
  t.equal((await server.api(null).post(path, { alert_words: ['x'] })).status, 401)
  t.equal((await server.api(null).get(path)).status, 401)
  t.equal((await server.api(null).delete(path, { alert_words: ['x'] })).status, 401)
  const params = { operation: 'add', flag: 'has_alert_word', op: 'add', messages: [1] }
  t.match(await owner.post('/messages/flags', params), refused)
  t.same(await ear.inStep(t), [])
  await owner.ok('POST', path, { alert_words: most })
  t.match(await owner.post(path, { alert_words: ['one more'] }), refused)
  await owner.ok('POST', path, { alert_words: most })
  await add(await server.person(), '😀'.repeat(100))
})
