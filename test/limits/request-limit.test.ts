import t from 'tap'
import { RequestLimit } from '../../server/limits/request-limit.js'
import type { ApiError } from '../../shared/errors.js'

/** The shared counters in Redis, with a delay that the test sets. */
class Shared {
  readonly sums = new Map<string, number>()
  calls = 0
  isAway = false

  report = async (who: string, window: number, requests: number): Promise<number> => {
    this.calls++
    await new Promise(resolve => setImmediate(resolve))
    if (this.isAway) throw new Error('away')
    const key = `${who}:${window}`
    const sum = (this.sums.get(key) ?? 0) + requests
    this.sums.set(key, sum)
    return sum
  }
}

const start = 1_700_000_000_000
const turn = () => new Promise(resolve => setTimeout(resolve, 2))

function workers(count: number, perMinute: number) {
  const shared = new Shared()
  const clock = { time: start, now: () => clock.time }
  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  const limits = Array.from(
    { length: count },
    () => new RequestLimit({ kind: 'user', perMinute, workers: count, report: shared.report, clock, failed }),
  )
  return { shared, clock, failures, limits }
}

/** True if the limit admits the request; otherwise the seconds to wait. */
function ask(limit: RequestLimit, who: string | number): true | number {
  try {
    limit.charge(limit.of(who))
    return true
  } catch (thrown) {
    return Number((thrown as ApiError).fields['retry-after'])
  }
}

t.test('one worker lets through exactly what it may, and says when the next is', async t => {
  const { limits, clock } = workers(1, 50)
  const [limit] = limits as [RequestLimit]
  for (let i = 0; i < 50; i++) {
    t.equal(ask(limit, 7), true)
    if (i % 5 === 4) await turn()
  }
  const wait = ask(limit, 7)
  t.ok(typeof wait === 'number' && wait > 0 && wait <= 60)
  t.equal(ask(limit, 8), true, 'others are not concerned')
  clock.time += Number(wait) * 1000 - 1
  t.not(ask(limit, 7), true, 'not a moment earlier')
  clock.time += 1
  t.equal(ask(limit, 7), true)
})

t.test('all workers together let through no more than a tenth over the limit', async t => {
  for (const [count, perMinute] of [
    [2, 1200],
    [2, 60],
    [8, 1200],
    [16, 1200],
  ] as const) {
    const { limits } = workers(count, perMinute)
    let through = 0
    for (let round = 0; round < perMinute * 2; round++) {
      for (const limit of limits) if (ask(limit, 1) === true) through++
      if (round % 3 === 0) await turn()
    }
    t.ok(through >= perMinute, `${count} workers, ${perMinute}: ${through} is not below`)
    t.ok(through <= perMinute * 1.1, `${count} workers, ${perMinute}: ${through} is no more than a tenth above`)
  }
})

t.test('a flood that is faster than Redis gets no more through', async t => {
  const { limits } = workers(4, 1200)
  let through = 0
  for (const limit of limits) for (let i = 0; i < 5000; i++) if (ask(limit, 1) === true) through++
  t.ok(through <= 1200 * 1.1, `${through} before anybody has heard of anybody`)
  await turn()
  for (let i = 0; i < 1200; i++) {
    for (const limit of limits) if (ask(limit, 1) === true) through++
    if (i % 20 === 0) await turn()
  }
  t.ok(through <= 1200 * 1.1, `${through} in the end`)
  t.ok(through >= 1200, `${through}: what was too fast at first is let through when all have heard`)
})

t.test('who asks little costs Redis nothing, who asks much twenty calls a minute and worker', async t => {
  const { limits, shared } = workers(2, 1200)
  const [limit] = limits as [RequestLimit]
  for (let who = 0; who < 1000; who++) for (let i = 0; i < 10; i++) ask(limit, who)
  t.equal(shared.calls, 0)
  for (let i = 0; i < 2000; i++) {
    ask(limit, 'busy')
    await new Promise(resolve => setImmediate(resolve))
  }
  t.ok(shared.calls > 0 && shared.calls <= 40, String(shared.calls))
})

t.test('while Redis is away each worker keeps the limit by itself, and says why', async t => {
  const { limits, shared, failures, clock } = workers(2, 100)
  shared.isAway = true
  for (const limit of limits) {
    let through = 0
    for (let i = 0; i < 300; i++) {
      if (ask(limit, 1) === true) through++
      await new Promise(resolve => setImmediate(resolve))
    }
    t.equal(through, 100)
  }
  t.equal(failures.length, shared.calls)
  t.ok(shared.calls <= 4, `${shared.calls} calls: it is not asked for each request`)

  shared.isAway = false
  clock.time += 61_000
  let through = 0
  for (let i = 0; i < 300; i++) {
    for (const limit of limits) if (ask(limit, 1) === true) through++
    await turn()
  }
  t.ok(through <= 110, 'and together as soon as it is back')
})

t.test('the lines say what is left, and as of now', t => {
  const { limits, clock } = workers(1, 100)
  const [limit] = limits as [RequestLimit]
  const counter = limit.of(1)
  limit.charge(counter)
  const reset = counter.endsAt / 1000
  t.equal(
    limit.linesOf(counter),
    `\r\nX-RateLimit-Limit: 100\r\nX-RateLimit-Remaining: 99\r\nX-RateLimit-Reset: ${reset}`,
  )
  t.ok(Number.isInteger(reset))
  clock.time += 60_000
  t.match(limit.linesOf(counter), `Remaining: 100\r\nX-RateLimit-Reset: ${reset + 60}`, 'a poll has waited so long')
  t.end()
})

t.test('windows of different callers end at different times, those of one at all workers at once', t => {
  const { limits } = workers(2, 100)
  const [one, other] = limits as [RequestLimit, RequestLimit]
  const ends = new Set(Array.from({ length: 200 }, (_, who) => one.of(who).endsAt))
  t.ok(ends.size > 30)
  for (let who = 0; who < 200; who++) t.equal(one.of(who).endsAt, other.of(who).endsAt)
  t.end()
})

t.test('what is kept of callers is bounded', t => {
  const { limits, clock } = workers(1, 100)
  const [limit] = limits as [RequestLimit]
  for (let i = 0; i < 200_000; i++) ask(limit, `10.0.${i >> 8}.${i & 255}`)
  t.ok(limit.size <= 65_536)
  clock.time += 60_000
  for (let i = 0; i < 65_536; i++) ask(limit, i)
  t.ok(limit.size <= 65_536)
  t.end()
})

t.test('what is given back leaves as much as before', t => {
  const { limits } = workers(1, 100)
  const [limit] = limits as [RequestLimit]
  for (let i = 0; i < 1000; i++) {
    t.equal(ask(limit, '1.2.3.4'), true)
    limit.giveBack('1.2.3.4')
  }
  limit.giveBack('1.2.3.4')
  t.equal(limit.of('1.2.3.4').remaining, 100)
  for (let i = 0; i < 50; i++) ask(limit, '1.2.3.4')
  t.equal(limit.of('1.2.3.4').remaining, 50)
  t.end()
})
