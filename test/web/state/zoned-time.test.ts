import t from 'tap'
import { laterTimes, momentOf, wallTimeAt, zoneOf } from '../../../server/web/state/zoned-time.js'

const berlin = 'Europe/Berlin'
const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
const namesAt = (now: string, timeZone: string) =>
  laterTimes(Date.parse(now), timeZone).map(({ name, at }) => `${name} ${iso(at)}`)

t.test('the zone is that of the account, and of the browser where the account has none or an unknown one', async t => {
  const zone = (timezone: string) => zoneOf({ user_settings: { timezone } } as Parameters<typeof zoneOf>[0])
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  t.same([zone('Asia/Kolkata'), zone(''), zone('Mars/Olympus')], ['Asia/Kolkata', own, own])
})

t.test('clocks of zones', async t => {
  const at = Date.parse('2026-11-28T23:30:00Z')
  t.equal(wallTimeAt(at, berlin), '2026-11-29T00:30')
  t.equal(wallTimeAt(at, 'America/New_York'), '2026-11-28T18:30')
  t.equal(wallTimeAt(at, 'Asia/Kolkata'), '2026-11-29T05:00')
  t.equal(wallTimeAt(at, 'Pacific/Kiritimati'), '2026-11-29T13:30')
  for (const zone of [berlin, 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])
    t.equal(momentOf(wallTimeAt(at, zone), zone), at, zone)
  t.same(momentOf('', berlin), Number.NaN)
  t.equal(iso(momentOf('2100-01-01T09:00', berlin)), '2100-01-01T08:00:00Z')
})

t.test('a time that comes twice at the end of summer time is the first one', async t => {
  t.equal(iso(momentOf('2026-10-25T01:59', berlin)), '2026-10-24T23:59:00Z')
  t.equal(iso(momentOf('2026-10-25T02:30', berlin)), '2026-10-25T00:30:00Z')
  t.equal(iso(momentOf('2026-10-25T03:00', berlin)), '2026-10-25T02:00:00Z')
  t.equal(iso(momentOf('2026-11-01T01:30', 'America/New_York')), '2026-11-01T05:30:00Z')
})

t.test('a time that is left out at its beginning is an hour later', async t => {
  t.equal(iso(momentOf('2026-03-29T02:30', berlin)), '2026-03-29T01:30:00Z')
  t.equal(wallTimeAt(momentOf('2026-03-29T02:30', berlin), berlin), '2026-03-29T03:30')
  t.equal(wallTimeAt(momentOf('2026-10-04T02:15', 'Australia/Lord_Howe'), 'Australia/Lord_Howe'), '2026-10-04T02:45')
})

t.test('the times that the page offers', async t => {
  t.same(namesAt('2026-11-26T09:15:00Z', berlin), [
    'hour 2026-11-26T10:15:00Z',
    'evening 2026-11-26T17:00:00Z',
    'tomorrow 2026-11-27T08:00:00Z',
    'monday 2026-11-30T08:00:00Z',
  ])
  t.same(namesAt('2026-11-26T16:00:00Z', berlin).slice(1), [
    'tomorrow 2026-11-27T08:00:00Z',
    'monday 2026-11-30T08:00:00Z',
  ])
  t.same(namesAt('2026-11-29T18:00:00Z', berlin).slice(1), ['tomorrow 2026-11-30T08:00:00Z'], 'on Sunday')
  t.same(namesAt('2026-11-30T18:00:00Z', berlin).slice(1), [
    'tomorrow 2026-12-01T08:00:00Z',
    'monday 2026-12-07T08:00:00Z',
  ])
})

t.test('tomorrow is the day of the zone, and its morning is after the clocks were changed', async t => {
  t.equal(namesAt('2026-11-28T23:30:00Z', berlin)[2], 'tomorrow 2026-11-30T08:00:00Z')
  t.equal(namesAt('2026-11-28T23:30:00Z', 'America/New_York')[1], 'tomorrow 2026-11-29T14:00:00Z')
  t.equal(namesAt('2026-10-24T10:00:00Z', berlin)[2], 'tomorrow 2026-10-25T08:00:00Z')
  t.equal(namesAt('2026-03-28T10:00:00Z', berlin)[2], 'tomorrow 2026-03-29T07:00:00Z')
})
