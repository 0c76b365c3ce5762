import { capabilityNames } from '../../shared/capabilities.js'
import { asks } from './asks.js'
import { measureRequests } from './bench.js'
import type { SeededUser } from './seeded.js'

// All capabilities of a modern client, whose answer is the shortest.
const capabilities = JSON.stringify(Object.fromEntries(capabilityNames.map(name => [name, true])))

// In seconds: no client reads these queues, and thousands of them would distort the measurement.
const forgottenSoon = '5'

/** Measures the register request, with the whole state of a large organization. */
export const register = (args: string[]): Promise<void> =>
  measureRequests('register', args, async ({ seeded }) => {
    const [members, guests, owner] = [await seeded.people(50), await seeded.people(50, 600), await seeded.owner()]
    const all = (who: SeededUser, params: Record<string, string> = {}) =>
      asks('POST', '/register', who, {
        client_capabilities: capabilities,
        idle_queue_timeout: forgottenSoon,
        ...params,
      })
    const floor = { kind: 'join' } as const
    return [
      { name: 'members', requests: members.map(one => all(one)), floor },
      { name: 'with subscribers', requests: members.map(one => all(one, { include_subscribers: 'true' })), floor },
      {
        name: 'with some subscribers',
        requests: members.map(one => all(one, { include_subscribers: 'partial' })),
        floor,
      },
      { name: 'guests', requests: guests.map(one => all(one)), floor },
      {
        name: 'members, and as often a new channel before',
        requests: members.flatMap(one => [
          asks('POST', '/users/me/subscriptions', owner, { subscriptions: JSON.stringify([{ name: 'changed {n}' }]) }),
          all(one),
        ]),
        floor,
      },
      {
        name: 'the queue alone',
        requests: members.map(one => all(one, { fetch_event_types: '[]' })),
        floor: { kind: 'bytes' },
      },
    ]
  })
