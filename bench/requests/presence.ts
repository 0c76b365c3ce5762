import { asks } from './asks.js'
import { measureRequests } from './bench.js'

// Larger than every update id, so the answer contains no updates.
const never = String(Number.MAX_SAFE_INTEGER)

// One report per user in a cycle; a cycle takes less than the minute after which the server stores the next report of a
// user.
const reporters = 10_000

/** Measures reporting presence and reading that of other users, in a large organization. */
export const presence = (args: string[]): Promise<void> =>
  measureRequests('presence', args, async ({ seeded, run }) => {
    const [people, allPeople] = await Promise.all([seeded.people(50), seeded.people(100_000)])
    const report = (who: (typeof people)[number], params: Record<string, string>) =>
      asks('POST', '/users/me/presence', who, { status: 'active', ...params })
    const all = allPeople.map(person => report(person, { ping_only: 'true' }))
    // The last hundred report after this moment.
    await run({ requests: all.slice(0, -100), inFlight: 16, count: Math.max(1, all.length - 100) })
    const { body } = (await run({
      requests: people.slice(0, 1).map(person => report(person, { last_update_id: '-1' })),
      inFlight: 1,
      count: 1,
    })) as { body: string }
    const last = String(JSON.parse(body).presence_last_update_id)
    await run({ requests: all.slice(-100), inFlight: 16, count: Math.min(100, all.length) })
    const delta = (last_update_id: string) => people.map(person => report(person, { last_update_id }))
    const floor = { kind: 'bytes' } as const
    return [
      {
        name: 'reports of all users, without news',
        requests: allPeople.slice(0, reporters).map(person => report(person, { last_update_id: never })),
        floor: { kind: 'redis' },
        atMostTimesFloor: 3,
      },
      { name: 'a delta without news', requests: delta(never), floor },
      { name: 'a delta with about a hundred', requests: delta(last), floor },
      { name: 'a report alone', requests: people.map(person => report(person, { ping_only: 'true' })), floor },
      { name: `everything, ${allPeople.length} people`, requests: delta('-1'), floor },
    ]
  })
