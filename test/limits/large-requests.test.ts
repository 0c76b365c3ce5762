import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { LargeRequests } from '../../server/limits/large-requests.js'
import { ann, fakeServer } from '../http/fake-server.js'
import { until } from '../http/until.js'
import { openSocket } from '../socket/socket-client.js'

const large = budgets.largeRequest.most + 1

t.test('one large request runs at a time, small ones run at once', async t => {
  const requests = new LargeRequests()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = async (name: string, bytes = large) => {
    const end = await requests.turnFor(bytes)
    begun.push(name)
    if (end) ends.push(end)
  }
  const begins = (...names: string[]) => until(() => begun.join() === names.join())
  t.equal(requests.turnFor(large - 1), undefined, 'a small one has no turn')
  void start('first')
  void start('second')
  await begins('first')
  void start('small', large - 1)
  await begins('first', 'small')
  ends[0]?.()
  await begins('first', 'small', 'second')
  void start('third')
  ends[1]?.()
  ends[1]?.()
  await begins('first', 'small', 'second', 'third')
  const last = start('fourth')
  const rest = Array.from({ length: 49 }, async () => (await requests.turnFor(large))?.())
  await t.rejects(requests.turnFor(large) as Promise<unknown>, { code: 'SERVER_NOT_READY' })
  t.equal(begun.length, 4, 'an end that is called twice frees one turn')
  ends[2]?.()
  await last
  ends[3]?.()
  await Promise.all(rest)
})

t.test('a large request that waits for something else does not hold up the next one for long', async t => {
  const requests = new LargeRequests()
  await requests.turnFor(large)
  await requests.turnFor(large)
  t.pass()
})

t.test('large requests that wait are answered, over HTTP and over a socket', async t => {
  const fake = await fakeServer(t)
  const note = 'x'.repeat(large)
  const socket = await openSocket(fake, { headers: { Authorization: ann } })
  const post = async (path: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    return (await fetch(fake.url + path, { method: 'POST', headers: { Authorization: ann }, body })).status
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
