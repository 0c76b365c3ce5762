import t from 'tap'
import { isQuiet, quietUntil } from '../../server/policies/quiet.js'

const at = (time: string) => Date.parse(time)
const quiet = (do_not_disturb: object, time: string, timezone = 'Europe/Berlin') =>
  isQuiet({ settings: { do_not_disturb }, timezone }, at(time))

t.test('a user without quiet times is never quiet', async t => {
  t.equal(isQuiet({ settings: {}, timezone: '' }, Date.now()), false)
})

t.test('it is quiet until the time, and not at it', async t => {
  const until = { until: at('2026-11-28T12:00:00Z') / 1000, quiet_hours: null }
  t.equal(quiet(until, '2026-11-28T11:59:59.999Z'), true)
  t.equal(quiet(until, '2026-11-28T12:00:00Z'), false)
})

t.test('quiet hours are in the time zone of the account, and go past midnight', async t => {
  const night = { until: null, quiet_hours: { from: 22 * 60, to: 7 * 60 + 30 } }
  t.equal(quiet(night, '2026-11-28T20:59:59Z'), false)
  t.equal(quiet(night, '2026-11-28T21:00:00Z'), true, '22:00 in Berlin')
  t.equal(quiet(night, '2026-11-29T06:29:59Z'), true)
  t.equal(quiet(night, '2026-11-29T06:30:00Z'), false, '7:30 in Berlin')
  t.equal(quiet(night, '2026-11-28T21:00:00Z', ''), false, 'UTC without a time zone')
  t.equal(quiet(night, '2026-11-28T22:00:00Z', 'Mars/Olympus'), true, 'UTC with an unknown one')
})

t.test('quiet hours of a day end on that day, and equal ones are none', async t => {
  const lunch = { until: null, quiet_hours: { from: 720, to: 780 } }
  t.equal(quiet(lunch, '2026-07-01T10:00:00Z'), true, '12:00 in summer')
  t.equal(quiet(lunch, '2026-07-01T11:00:00Z'), false)
  t.equal(quiet(lunch, '2026-12-01T10:00:00Z'), false, '11:00 in winter')
  t.equal(quiet({ until: null, quiet_hours: { from: 720, to: 720 } }, '2026-12-01T11:00:00Z'), false)
})

t.test('at the end of summer time the hour that comes twice is quiet twice', async t => {
  const early = { until: null, quiet_hours: { from: 150, to: 180 } }
  t.same(
    ['00:29', '00:30', '00:59', '01:00', '01:30', '01:59', '02:00'].map(time => quiet(early, `2026-10-25T${time}:00Z`)),
    [false, true, true, false, true, true, false],
  )
})

t.test('a quiet time ends at its time, also where quiet hours follow it', async t => {
  const night = { from: 22 * 60, to: 7 * 60 + 30 }
  const until = (time: string) => at(time) / 1000
  const end = (do_not_disturb: object, time: string, timezone = 'Europe/Berlin') => {
    const found = quietUntil({ settings: { do_not_disturb }, timezone }, at(time))
    return found === null ? null : new Date(found).toISOString()
  }
  const cases: readonly [object, string, string | null][] = [
    [{ until: null, quiet_hours: null }, '2026-11-28T12:00:00Z', null],
    [{ until: until('2026-11-28T12:00:00Z'), quiet_hours: null }, '2026-11-28T11:00:30Z', '2026-11-28T12:00:00.000Z'],
    [{ until: until('2026-11-28T12:00:00Z'), quiet_hours: null }, '2026-11-28T12:00:00Z', null],
    [{ until: null, quiet_hours: night }, '2026-11-28T12:00:00Z', null],
    [{ until: null, quiet_hours: night }, '2026-11-28T22:59:59.999Z', '2026-11-29T06:30:00.000Z'],
    [{ until: null, quiet_hours: night }, '2026-11-29T06:29:59.999Z', '2026-11-29T06:30:00.000Z'],
    [{ until: null, quiet_hours: { from: 720, to: 720 } }, '2026-11-28T11:00:00Z', null],
    [{ until: until('2026-11-28T23:00:00Z'), quiet_hours: night }, '2026-11-28T12:00:00Z', '2026-11-29T06:30:00.000Z'],
    [{ until: until('2026-11-28T12:30:00Z'), quiet_hours: night }, '2026-11-28T12:00:00Z', '2026-11-28T12:30:00.000Z'],
    [{ until: until('2026-11-29T12:00:00Z'), quiet_hours: night }, '2026-11-28T22:00:00Z', '2026-11-29T12:00:00.000Z'],
  ]
  for (const [given, time, expected] of cases) t.equal(end(given, time), expected, `${JSON.stringify(given)} ${time}`)
})
