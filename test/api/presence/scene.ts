import type { WorkerCtx } from '../../../server/ctx.js'
import { presenceEvent } from '../../../shared/events/presence.js'
import type { Person } from '../../support/people.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
type Loose = Record<string, any>

/** The server's clock, which tests advance, because presence depends on minutes. */
export class Time {
  private ahead = 0

  constructor(ctx: WorkerCtx) {
    ctx.clock.now = () => Date.now() + this.ahead
  }

  pass(seconds: number): void {
    this.ahead += seconds * 1000
  }
}

// Ids of users that do not exist; each is a marker for one client.
let marked = 0

/** A client that receives presence events. */
export class Watcher {
  private lastEventId = -1

  private constructor(
    private readonly ctx: WorkerCtx,
    private readonly person: Person,
    private readonly queueId: string,
  ) {}

  static async start(ctx: WorkerCtx, person: Person, params: Loose = {}): Promise<Watcher> {
    const asked = { event_types: ['presence'], fetch_event_types: [], ...params }
    return new Watcher(ctx, person, (await person.ok('POST', '/register', asked)).queue_id)
  }

  /** All events until now: a marker for this user follows all earlier events. */
  async events(): Promise<Loose[]> {
    const id = --marked
    const marker = { user_id: id, email: '', server_timestamp: 0, active_timestamp: 0, idle_timestamp: 0 }
    this.ctx.realtime.announce([{ def: presenceEvent, payload: marker, audience: [this.person.id] }])
    const found: Loose[] = []
    for (;;) {
      const params = { queue_id: this.queueId, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      for (const event of events) {
        this.lastEventId = event.id
        const about = event.user_id ?? Number(Object.keys(event.presences ?? {})[0])
        if (about === id) return found
        if (about > 0) found.push(event)
      }
    }
  }
}
