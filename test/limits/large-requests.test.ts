import t from 'tap'
import { budgets } from '../../server/budgets.js'
import { LargeRequests } from '../../server/limits/large-requests.js'
import { ann, fakeEdge } from '../http/fake-server.js'
import { until } from '../http/until.js'
import { openSocket } from '../socket/socket-client.js'

const large = budgets.largeRequest.most + 1

t.test('one large request runs at a time, small ones run at once', async t => {
  const requests = new LargeRequests()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, bytes: number) =>
    requests.start(bytes, ended => {
      begun.push(name)
      ends.push(ended)
    })
  start('first', large)
  start('second', large)
  start('small', large - 1)
  t.same(begun, ['first', 'small'])
  ends[0]?.()
  await until(() => begun.length === 3)
  t.equal(begun[2], 'second')
  start('third', large)
  t.equal(begun.length, 3)
  ends[2]?.()
  ends[2]?.()
  await until(() => begun.length === 4)
  let done = 0
  const startShort = () =>
    requests.start(large, ended => {
      done++
      ended()
    })
  start('fourth', large)
  t.equal(begun.length, 4, 'an end that is called twice frees one turn')
  for (let i = 1; i < 50; i++) startShort()
  t.throws(startShort, { code: 'SERVER_NOT_READY' })
  start('small', large - 1)
  t.equal(begun.length, 5)
  ends[3]?.()
  await until(() => begun.length === 6)
  ends[5]?.()
  await until(() => done === 49)
})

t.test('a large request that waits for something else does not hold up the next one for long', async t => {
  const requests = new LargeRequests()
  await new Promise<void>(resolve => {
    requests.start(large, () => {})
    requests.start(large, () => resolve())
  })
  t.pass()
})

t.test('large requests that wait are answered, over HTTP and over a socket', async t => {
  const edge = await fakeEdge(t)
  const note = 'x'.repeat(large)
  const socket = await openSocket(edge, { headers: { Authorization: ann } })
  const post = async (path: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    return (await fetch(edge.url + path, { method: 'POST', headers: { Authorization: ann }, body })).status
  }
  const slow = [1, 2, 3].map(() => post('/sleep', { ms: '20', note }))
  socket.send({ op: 'request', id: 1, method: 'POST', path: '/sleep', params: { ms: 20, note } })
  const refused = [post('/nothing', { note }), post('/sleep', { note }), post('/echo', { number: '-1', note })]
  t.equal(await post('/sleep', { ms: '1' }), 200)
  t.same(await Promise.all(refused), [404, 400, 400])
  t.same(await Promise.all(slow), [200, 200, 200])
  t.match(await socket.reply(1), { status: 200 })
  socket.socket.terminate()
})
