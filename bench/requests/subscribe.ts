import { asks } from './asks.js'
import { measureRequests } from './bench.js'

/** Measures subscribing users and creating channels. */
export const subscribe = (args: string[]): Promise<void> =>
  measureRequests('subscribe', args, async ({ seeded }) => {
    const owner = await seeded.owner()
    const [large] = await seeded.rows<{ id: number; name: string; people: number }>(
      `select channels.id, name, count(*)::int as people from channels join subscriptions on channel_id = channels.id and is_active
        where not is_default and not is_archived and not invite_only
        group by channels.id order by people desc limit 1`,
    )
    if (!large) throw new Error('there is no channel')
    const outside = await seeded.rows<{ id: number }>(
      `select id from users where is_active and not is_bot and role < 600
        and not exists (select from subscriptions where user_id = users.id and channel_id = $1) order by id`,
      [large.id],
    )
    const crowd = (await seeded.people(500)).map(({ id }) => id)
    const subscribed = (name: string, params: Record<string, string> = {}) =>
      asks('POST', '/users/me/subscriptions', owner, { subscriptions: JSON.stringify([{ name }]), ...params })
    const unsubscribed = (name: string, id: number) =>
      asks('DELETE', '/users/me/subscriptions', owner, {
        subscriptions: JSON.stringify([name]),
        principals: JSON.stringify([id]),
      })
    const floor = { kind: 'bytes' } as const
    return [
      {
        name: `one more in, and out of, a channel of ${large.people}`,
        requests: outside.flatMap(({ id }) => [
          subscribed(large.name, { principals: JSON.stringify([id]) }),
          unsubscribed(large.name, id),
        ]),
        floor,
      },
      { name: 'a new channel', requests: [subscribed('bench {n}')], floor },
      {
        name: 'a new private channel',
        requests: [subscribed('private bench {n}', { invite_only: 'true' })],
        floor,
      },
      {
        name: `a new channel with ${crowd.length} people`,
        requests: [subscribed('crowd {n}', { principals: JSON.stringify(crowd) })],
        floor,
      },
      {
        name: 'all own subscriptions',
        requests: (await seeded.people(50)).map(person => asks('GET', '/users/me/subscriptions', person)),
        floor: { kind: 'join' },
      },
    ]
  })
