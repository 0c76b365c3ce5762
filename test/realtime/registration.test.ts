import t from 'tap'
import { idStep } from '../../server/realtime/feed/ids.js'
import { ApiError } from '../../shared/errors.js'
import { seeded, seedOf } from '../support/random.js'
import { RegisteringWorld } from './registering-world.js'
import { plainView } from './rig.js'

const runs = 600
const options = {
  userId: 1,
  view: plainView,
  eventTypes: null,
  narrow: null,
  allPublicStreams: false,
  idleSeconds: 600,
}

/** The outcome of one registration, and its errors. */
async function run(seed: number): Promise<{ outcome: string; wrong: string[] }> {
  const world = new RegisteringWorld(seeded(seed))
  const wrong: string[] = []
  const expect = (holds: boolean, what: string) => holds || wrong.push(`seed ${seed}: ${what}`)
  try {
    const { queueId, state } = await world.registration.register(options, world.read)
    const queue = world.queues.byId.get(queueId)
    const numbers = Array.from({ length: state.shown }, (_, i) => i + 1)
    for (const id of queue?.idsAfter(0, Number.POSITIVE_INFINITY) ?? []) numbers.push(id / idStep)
    const all = Array.from({ length: Math.max(state.shown, world.published) }, (_, i) => i + 1)
    expect(queue?.state === 'live', 'the queue is not live')
    expect(String(numbers) === String(all), `${state.shown} shown, then ${numbers.slice(state.shown)} of ${all.length}`)
    expect(world.queues.byId.size === 1, 'memory has another queue')
    expect([...world.inRedis].join() === queueId, 'Redis has another queue')
    return { outcome: world.reads === 1 ? 'complete at once' : 'complete later', wrong }
  } catch (error) {
    expect(world.queues.byId.size === 0, 'memory has a queue that was given up')
    expect(world.inRedis.size === 0, 'Redis has a queue that was given up')
    return { outcome: error instanceof ApiError ? error.code : (error as Error).message, wrong }
  }
}

t.test('I1: whatever happens while it waits, a registration ends with a complete queue or with none', async t => {
  const first = seedOf('REGISTRATION_SEED')
  const outcomes: Record<string, number> = {}
  const wrong: string[] = []
  for (let i = 0; i < runs; i++) {
    const result = await run(first + i)
    outcomes[result.outcome] = (outcomes[result.outcome] ?? 0) + 1
    wrong.push(...result.wrong)
  }
  t.same(wrong.slice(0, 5), [])
  const expected = ['Redis is away', 'SERVER_NOT_READY', 'UNAUTHORIZED', 'complete at once', 'complete later']
  t.same(Object.keys(outcomes).sort(), expected, 'each end is met, and no other')
  t.comment(outcomes)
})
