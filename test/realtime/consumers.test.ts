import t from 'tap'
import type { CatchUp } from '../../server/realtime/delivery/catch-up.js'
import { Consumers } from '../../server/realtime/delivery/consumers.js'
import type { Heartbeats } from '../../server/realtime/delivery/heartbeats.js'
import { Views } from '../../server/realtime/encoding/views.js'
import type { EventIdCheck } from '../../server/realtime/ownership/event-id-check.js'
import type { Opening } from '../../server/realtime/ownership/opening.js'
import { Queue } from '../../server/realtime/queues/queue.js'
import { OptionsPool } from '../../server/realtime/queues/queue-options.js'
import { Queues } from '../../server/realtime/queues/queues.js'
import { FakeSocket, plainView } from './rig.js'

t.test('a consumer of a queue that ends while it is opened is refused', async t => {
  const clock = { now: () => 0 }
  const pool = new OptionsPool(new Views())
  const queues = new Queues(pool, clock.now)
  const options = { view: plainView, eventTypes: null, narrow: null, allPublicStreams: false, idleSeconds: 600 }
  const opening = {
    async open() {
      const queue = Queue.registered('q', 1, pool.take(options), { newest: 0, now: 0 })
      queue.stored(0, 0)
      queues.add(queue)
      queueMicrotask(() => queues.remove(queue, 'gone'))
      return queue
    },
  }
  const quiet = { schedule() {}, wake() {} }
  const consumers = new Consumers(
    { clock },
    {
      queues,
      opening: opening as unknown as Opening,
      ids: {} as EventIdCheck,
      heartbeats: quiet as unknown as Heartbeats,
      catchUp: quiet as unknown as CatchUp,
    },
  )
  const { signal } = new AbortController()
  await t.rejects(consumers.poll('q', 1, -1, { dontBlock: false, signal }), { code: 'SERVER_NOT_READY' })
  await t.rejects(consumers.attach('q', 1, -1, new FakeSocket()), { code: 'SERVER_NOT_READY' })
})
