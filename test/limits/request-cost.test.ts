import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { surchargeOf } from '../../server/limits/request-cost.js'
import { ann, type FakeServer, fakeServer } from '../http/fake-server.js'
import { openSocket } from '../socket/socket-client.js'

// A fixed time, so that no rate-limit window ends during a test.
const still = { now: () => 1_700_000_000_000 }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const note = (bytes: number) => `number=1&note=${'x'.repeat(bytes)}`

function post(fake: FakeServer, path: string, body: string, headers: Record<string, string> = { Authorization: ann }) {
  return fetch(fake.url + path, { method: 'POST', headers: { ...form, ...headers }, body })
}
const get = (fake: FakeServer, path: string) => fetch(fake.url + path, { headers: { Authorization: ann } })
const leftOf = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))

t.test('what is usual is free, and each unit beyond it is a point', async t => {
  const units = { ms: budgets.pointMs.most, bytesIn: budgets.pointBytesIn.most, bytesOut: budgets.pointBytesOut.most }
  const nothing = { ms: 0, bytesIn: 0, bytesOut: 0 }
  t.equal(surchargeOf(nothing), 0)
  t.equal(surchargeOf(units), 0)
  for (const [name, unit] of Object.entries(units)) {
    t.equal(surchargeOf({ ...nothing, [name]: 2 * unit - 1 }), 0, name)
    t.equal(surchargeOf({ ...nothing, [name]: 2 * unit }), 1, name)
    t.equal(surchargeOf({ ...nothing, [name]: 11 * unit }), 10, name)
  }
  t.equal(surchargeOf({ ms: 3 * units.ms, bytesIn: 3 * units.bytesIn, bytesOut: 3 * units.bytesOut }), 6, 'together')
})

t.test('a request counts for the bytes that it sent and got', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_USER: '10000' }, { clock: still })
  let left = leftOf(await post(fake, '/echo', note(1000)))
  t.ok(left >= 9990, 'a small one for next to nothing')
  for (const [what, least, ask] of [
    ['a body of 2 MB', 100, () => post(fake, '/sleep', `ms=0&${note(2_000_000)}`)],
    ['one that is refused', 100, () => post(fake, '/admin', note(2_000_000))],
    ['an answer of 6 MB', 6, () => get(fake, '/big?bytes=6000000')],
  ] as const) {
    const now = leftOf(await ask())
    t.ok(left - now >= least, `${what}: ${left - now}`)
    left = now
  }
})

t.test(
  'a request counts for the time in which the worker does nothing else, not for the time that it waits',
  async t => {
    const fake = await fakeServer(t, { RATE_LIMIT_USER: '10000' }, { clock: still })
    const before = leftOf(await get(fake, '/users/me'))
    const waited = leftOf(await post(fake, '/sleep', 'ms=400'))
    t.ok(before - waited < 20, `${before - waited} for waiting: 400 ms of work would be 40`)
    const worked = leftOf(await post(fake, '/work', 'ms=400'))
    t.ok(waited - worked >= 40, `${waited - worked} for working`)
  },
)

t.test('an account with expensive requests is refused after fewer of them, with the usual answer', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_USER: '250', WORKERS: '1' }, { clock: still })
  for (let i = 0; i < 3; i++) t.not((await post(fake, '/admin', note(2_000_000))).status, 429)
  t.equal((await post(fake, '/admin', note(2_000_000))).status, 429)
  const refused = await get(fake, '/users/me')
  t.equal(refused.status, 429)
  t.equal(leftOf(refused), 0, 'never below nothing')
  t.match(await refused.json(), { result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': Number })
  t.ok(Number(refused.headers.get('retry-after')) > 0)
})

t.test('without an account it counts for the address', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_ADDRESS: '30' }, { clock: still })
  t.equal((await post(fake, '/work', 'ms=400', {})).status, 200)
  t.equal((await post(fake, '/work', 'ms=0', {})).status, 429)
  t.equal((await get(fake, '/users/me')).status, 429, 'a key that this worker has not seen before is not looked at')
  const other = await fakeServer(t, { RATE_LIMIT_ADDRESS: '150' }, { clock: still })
  t.equal((await post(other, '/nothing', note(2_000_000), {})).status, 404)
  t.equal((await post(other, '/nothing', note(2_000_000), {})).status, 404)
  t.equal((await post(other, '/nothing', note(1), {})).status, 429, 'also where there is nothing')
})

t.test('so does a frame', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_USER: '10000' }, { clock: still })
  const socket = await openSocket(fake, { headers: { Authorization: ann } })
  const ask = async (id: number, path: string, params: object) => {
    socket.send({ op: 'request', id, method: 'POST', path, params })
    await socket.reply(id)
    return leftOf(await get(fake, '/users/me'))
  }
  const left = await ask(1, '/echo', { number: 1 })
  const large = await ask(2, '/echo', { number: 1, note: 'x'.repeat(1_000_000) })
  t.ok(left - large >= 49, `${left - large} for a frame of 1 MB`)
  const worked = await ask(3, '/work', { ms: 400 })
  t.ok(large - worked >= 40, `${large - worked} for working`)
  socket.socket.terminate()
})
