import { asks } from '../lib/request-load.js'
import type { Result } from '../lib/result.js'
import { measureRequests, type RequestCase } from './measure.js'

// Larger than every update id, so the answer contains no updates.
const never = String(Number.MAX_SAFE_INTEGER)
// One report per user in a cycle; a cycle takes less than the minute after which the server stores the next report of a
// user.
const reporters = 10_000

/** Measures what a server can answer from its memory, or with one command of Redis, in a large organization. */
export const memory = (args: string[]): Promise<Result> =>
  measureRequests(args, async ({ seeded, run }) => {
    const [people, reporting] = [await seeded.people(50), await seeded.people(reporters)]
    const [one] = people
    if (!one) throw new Error('there are no members')
    const report = { status: 'active', last_update_id: never }
    const reports = reporting.map(person => asks('POST', '/users/me/presence', person, report))
    await run({ requests: reports, inFlight: 16, count: reports.length })
    const of = (name: string, path: string): RequestCase => ({
      name,
      requests: people.map(person => asks('GET', path, person)),
      floor: { kind: 'bytes' },
      atMostTimesFloor: 3,
    })
    return [
      of('all channels', '/streams'),
      of('own subscriptions', '/users/me/subscriptions'),
      of('user groups', '/user_groups'),
      of('all users', '/users'),
      of('own account', '/users/me'),
      of('presence of one', `/users/${one.id}/presence`),
      { name: 'presence report without news', requests: reports, floor: { kind: 'redis' }, atMostTimesFloor: 3 },
    ]
  })
