import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ApiError } from '../../shared/errors.js'
import type { WireEvent } from '../../shared/wire/frames.js'
import { FakeSocket, idsOf, type Rig, rises, startRigWithRedis, until, type Worker } from '../realtime/rig.js'

/** The same sequence for the same seed, so that a failure can be repeated, as far as timing allows. */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Reads its queue from any worker, by poll or by socket, and remembers the last handled id. */
class Client {
  readonly handled: WireEvent[] = []
  readonly refused: unknown[] = []

  constructor(
    readonly rig: Rig,
    readonly queue: string,
    readonly user: number,
  ) {}

  get last(): number {
    return this.handled.at(-1)?.id ?? -1
  }

  /** Ignores events that it has already handled, as every client does. */
  private handle(events: readonly WireEvent[], most: number): void {
    for (const event of events.filter(event => event.id > this.last).slice(0, most)) this.handled.push(event)
  }

  async read(worker: Worker, bySocket: boolean, patience: number, most: number): Promise<void> {
    try {
      if (bySocket) await this.attach(worker, patience, most)
      else await this.poll(worker, patience, most)
    } catch (error) {
      // The worker or Redis is unavailable: the client retries later. Any other error is a failure.
      if (!(error instanceof ApiError && error.code === 'SERVER_NOT_READY')) this.refused.push(error)
    }
  }

  private async poll(worker: Worker, patience: number, most: number): Promise<void> {
    const signal = AbortSignal.timeout(patience)
    const { events } = await worker.engine.poll(this.queue, this.user, this.last, { dontBlock: false, signal })
    this.handle(
      events.map(event => JSON.parse(event) as WireEvent),
      most,
    )
  }

  private async attach(worker: Worker, patience: number, most: number): Promise<void> {
    const socket = new FakeSocket()
    const attachment = await worker.engine.attach(this.queue, this.user, this.last, socket)
    await sleep(patience)
    this.handle(socket.events, most)
    if (this.last > 0 && !socket.closed) attachment.acknowledge(this.last)
    attachment.detach()
  }
}

t.test('I1: each client handles every event once and in order, whichever worker or database fails', async t => {
  const seed = Number(process.env.CHAOS_SEED ?? 20_261_120)
  const rounds = Number(process.env.CHAOS_ROUNDS ?? 60)
  const below = random(seed)
  const { rig, redis } = await startRigWithRedis(t)
  const workers = [await rig.worker(), await rig.worker(), await rig.worker()]
  const someone = () => workers[below(workers.length)] as Worker
  const clients: Client[] = []
  for (let user = 1; user <= 6; user++) clients.push(new Client(rig, await rig.queue(someone(), user), user))
  const audience = clients.map(client => client.user)
  let written = 0
  for (let round = 0; round < rounds; round++) {
    for (let i = below(12); i > 0; i--) rig.write(someone(), [written++], audience)
    if (below(6) === 0) rig.commit(written++, audience)
    const reading = clients.map(client => client.read(someone(), below(3) === 0, 5 + below(60), 1 + below(20)))
    if (below(5) === 0) {
      const at = below(workers.length)
      const [victim] = workers.splice(at, 1, await rig.worker())
      if (below(3) === 0) await victim?.stop()
      else await victim?.kill()
    }
    if (below(20) === 0) {
      await redis.kill()
      await redis.start()
    }
    await Promise.all(reading)
  }
  for (const client of clients) {
    const numbers = () => client.handled.filter(event => event.type === 'noted').map(event => event.n as number)
    await until(async () => {
      await client.read(someone(), below(2) === 0, 100, 1000)
      return numbers().length >= written || client.refused.length > 0
    })
    t.same(client.refused, [], `user ${client.user}: no queue was lost`)
    t.ok(rises(idsOf(client.handled)))
    t.same(
      numbers().toSorted((a, b) => a - b),
      [...Array(written).keys()],
      `user ${client.user}: every event once`,
    )
  }
  const ids = clients.map(client => new Map(client.handled.map(event => [event.n, event.id])))
  for (let n = 0; n < written; n++) {
    if (new Set(ids.map(map => map.get(n))).size > 1) t.fail(`event ${n} has more than one id`)
  }
  await until(() => rig.outbox.rows.size === 0)
})
