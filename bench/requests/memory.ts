import { asks } from './asks.js'
import { measureRequests } from './bench.js'
import type { RequestCase } from './request-case.js'

/** Measures what a server can answer from its memory, in a large organization. */
export const memory = (args: string[]): Promise<void> =>
  measureRequests('memory', args, async ({ seeded, run }) => {
    const people = await seeded.people(50)
    const [one] = people
    if (!one) throw new Error('there are no members')
    await run({ requests: [asks('POST', '/users/me/presence', one, { status: 'active' })], inFlight: 1, count: 1 })
    const of = (name: string, path: string): RequestCase => ({
      name,
      requests: people.map(person => asks('GET', path, person, {})),
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
    ]
  })
