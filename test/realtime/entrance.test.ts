import t from 'tap'
import type { CatchUp } from '../../server/realtime/delivery/catch-up.js'
import { Entrance } from '../../server/realtime/delivery/entrance.js'
import type { Heartbeats } from '../../server/realtime/delivery/heartbeats.js'
import { Views } from '../../server/realtime/encoding/views.js'
import type { EngineDeps } from '../../server/realtime/engine-deps.js'
import type { Admission } from '../../server/realtime/ownership/admission.js'
import { Queue } from '../../server/realtime/queues/queue.js'
import { Queues } from '../../server/realtime/queues/queues.js'
import { OptionsPool } from '../../server/realtime/queues/shared-options.js'
import { FakeSocket, plainView } from './rig.js'

t.test('a queue that ends while its reader comes in is not waited at', async t => {
  const clock = { now: () => 0 }
  const pool = new OptionsPool(new Views())
  const queues = new Queues(pool, clock.now)
  const options = { view: plainView, eventTypes: null, narrow: null, allPublicStreams: false, idleSeconds: 600 }
  const queue = () => {
    const made = new Queue('q', 1, pool.take(options), 1, 'new', 0)
    made.state = 'live'
    queues.add(made)
    return made
  }
  const admission = {
    async admit() {
      const admitted = queue()
      queueMicrotask(() => queues.remove(admitted, 'gone'))
      return admitted
    },
  }
  const quiet = { schedule() {}, wake() {} }
  const entrance = new Entrance(
    { clock } as unknown as EngineDeps,
    queues,
    admission as unknown as Admission,
    quiet as unknown as Heartbeats,
    quiet as unknown as CatchUp,
  )
  const { signal } = new AbortController()
  await t.rejects(entrance.poll('q', 1, -1, { dontBlock: false, signal }), { code: 'SERVER_NOT_READY' })
  await t.rejects(entrance.attach('q', 1, -1, new FakeSocket()), { code: 'SERVER_NOT_READY' })
})
