import t from 'tap'
import { nextTime } from '../../server/jobs/cron.js'
import { jobKinds } from '../../server/jobs/index.js'

const at = (text: string) => new Date(text)

t.test('a schedule is in UTC, unless it has a time zone', async t => {
  t.same(nextTime({ cron: '0 9 * * *' }, at('2026-06-01T08:00:00Z')), at('2026-06-01T09:00:00Z'))
  const berlin = { cron: '0 9 * * *', timeZone: 'Europe/Berlin' }
  t.same(nextTime(berlin, at('2026-06-01T06:00:00Z')), at('2026-06-01T07:00:00Z'))
  t.same(nextTime(berlin, at('2026-12-01T06:00:00Z')), at('2026-12-01T08:00:00Z'))
})

t.test('a time that does not exist on the day that summer time begins comes later that day', async t => {
  const berlin = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }
  const next = nextTime(berlin, at('2026-03-29T00:00:00Z'))
  t.ok(next > at('2026-03-29T00:59:00Z') && next < at('2026-03-30T00:30:01Z'), next.toISOString())
})

t.test('an expression that is wrong or never comes throws', async t => {
  t.throws(() => nextTime({ cron: 'tomorrow' }, at('2026-01-01')))
  t.throws(() => nextTime({ cron: '0 0 30 2 *' }, at('2026-01-01')))
})

t.test('the kinds have distinct names and schedules that come', async t => {
  const names = jobKinds().map(kind => kind.type.name)
  t.equal(new Set(names).size, names.length)
  for (const { schedule } of jobKinds()) if (schedule) t.ok(nextTime(schedule, new Date()) > new Date())
})
