import { capabilityNames } from '../../shared/capabilities.js'
import type { Account } from '../lib/load-protocol.js'
import { asks, type LoadRequest } from '../lib/request-load.js'
import type { Result } from '../lib/result.js'
import { measureRequests } from './measure.js'

// All capabilities of a modern client, whose answer is the shortest.
const client_capabilities = JSON.stringify(Object.fromEntries(capabilityNames.map(name => [name, true])))

// In seconds: no client reads these queues, and thousands of them would distort the measurement.
const idle_queue_timeout = '5'

const registerOf = (who: Account): LoadRequest =>
  asks('POST', '/register', who, { client_capabilities, idle_queue_timeout })

/** Measures the register request, with the whole state of a large organization. */
export const register = (args: string[]): Promise<Result> =>
  measureRequests(args, async ({ seeded }) => {
    const members = await seeded.people(100)
    const floor = { kind: 'join' } as const
    return [
      {
        name: 'members',
        requests: members.map(registerOf),
        floor,
        atMostTimesFloor: 1.3,
        atMostPostgresMs: 5,
      },
      {
        name: 'a hundred at once',
        requests: members.map(registerOf),
        floor,
        inFlight: 100,
        othersWaitAtMostMs: 50,
      },
    ]
  })
