import t from 'tap'
import { externalLimits } from '../../server/external/external.js'
import { FetchPlaces, type PlaceLimits } from '../../server/external/fetch-places.js'

const never = new AbortController().signal
const busy = { name: 'BusyHost' }
const turn = () => new Promise(resolve => setImmediate(resolve))

/** Fetches that run until the test ends them. Their names are an owner, a host and a number: `a1.0`. */
function scene(limits: Partial<PlaceLimits>, mostOfOwner = 100) {
  const places = new FetchPlaces({ ...externalLimits, ...limits })
  const running = new Map<string, () => void>()
  const begun: string[] = []
  const run = (name: string, signal = never) => {
    const owner = { key: name.slice(0, 1), most: mostOfOwner }
    return places.run(owner, name.slice(1, 2), signal, () => {
      begun.push(name)
      return new Promise(resolve => running.set(name, resolve))
    })
  }
  const end = async (name: string) => {
    running.get(name)?.()
    running.delete(name)
    await turn()
  }
  return { places, begun, run, end, running }
}

t.test('places are bounded in total, for a host, for an owner, and for an owner at one host', async t => {
  const wanted = 'a1.0 a1.1 a1.2 b1.0 b1.1 b1.2 a2.0 a2.1 a3.0 c2.0 c2.1 c3.0 c4.0'.split(' ')
  const { places, begun, run, end, running } = scene({ atOnce: 8, perHost: 4 }, 3)
  const all = wanted.map(name => run(name))
  await turn()
  t.same(begun, ['a1.0', 'a1.1', 'b1.0', 'b1.1', 'a2.0', 'c2.0', 'c2.1', 'c3.0'])
  await end('c3.0')
  t.same(begun.slice(8), ['c4.0'], 'the first that may run')
  await end('a1.0')
  t.same(begun.slice(9), ['a1.2'])
  for (let n = 0; n < wanted.length; n++) for (const name of [...running.keys()]) await end(name)
  await Promise.all(all)
  t.same([...begun].sort(), [...wanted].sort())
  t.match(places, { hosts: 0, owners: 0 })
})

t.test('owners take turns, and the fetches of one keep their order', async t => {
  const { begun, run, end } = scene({ atOnce: 1, perHost: 2 })
  const names = ['a1.0', 'a2.1', 'a3.2', 'a4.3', 'b1.0', 'b2.1', 'c1.0']
  const all = names.map(name => run(name))
  await turn()
  for (let n = 0; n < names.length; n++) await end(begun.at(-1) ?? '')
  t.same(begun, ['a1.0', 'a2.1', 'b1.0', 'c1.0', 'a3.2', 'b2.1', 'a4.3'])
  await Promise.all(all)
})

t.test('a fetch that fails gives its place on', async t => {
  const places = new FetchPlaces({ ...externalLimits, atOnce: 1 })
  const owner = { key: 'a', most: 1 }
  const failing = places.run(owner, 'x', never, async () => {
    throw new Error('on purpose')
  })
  const next = places.run(owner, 'x', never, async () => {})
  await t.rejects(failing, { message: 'on purpose' })
  await next
  t.match(places, { hosts: 0, owners: 0 })
})

t.test('a fetch whose signal ends while it waits is forgotten, and takes no place later', async t => {
  const { places, begun, run, end } = scene({ atOnce: 1 })
  const first = run('a1.0')
  const leaving = new AbortController()
  const left = [run('a1.1', leaving.signal), run('b1.0', leaving.signal)]
  const stays = run('c1.0')
  leaving.abort()
  for (const one of left) await t.rejects(one, busy)
  t.equal(places.owners, 2)
  await end('a1.0')
  t.same(begun, ['a1.0', 'c1.0'])
  await end('c1.0')
  await Promise.all([first, stays])
  await t.rejects(run('d1.0', AbortSignal.abort()), busy)
  t.match(places, { hosts: 0, owners: 0 })
})

t.test('of one owner, and in all, so many wait', async t => {
  const { places, run, end, running } = scene({ atOnce: 1, waiting: 3, waitingPerOwner: 2 })
  const admitted = ['a1.0', 'a1.1', 'a1.2'].map(name => run(name))
  await t.rejects(run('a1.3'), busy)
  admitted.push(run('b1.0'))
  await t.rejects(run('c1.0'), busy)
  await end('a1.0')
  admitted.push(run('c1.1'))
  for (let n = 0; n < 9; n++) for (const name of [...running.keys()]) await end(name)
  await Promise.all(admitted)
  t.match(places, { hosts: 0, owners: 0 })
})
