import type { Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'

/**
 * A user's client that waits for the events of commands, which a worker publishes after about a second. Wait here
 * before `Listener.inStep`, which would otherwise compare the new state with missing events.
 */
export class EventWaiter {
  private lastEventId = -1

  private constructor(
    private readonly person: Person,
    private readonly queueId: string,
  ) {}

  static async start(person: Person, event_types: readonly string[]): Promise<EventWaiter> {
    const { queue_id } = await person.ok('POST', '/register', { event_types, fetch_event_types: [] })
    return new EventWaiter(person, queue_id)
  }

  /** Resolves when an event arrives for which `isIt` returns true. */
  async of(isIt: (event: Loose) => boolean): Promise<Loose> {
    for (;;) {
      const params = { queue_id: this.queueId, last_event_id: this.lastEventId }
      const { events } = await this.person.ok('GET', '/events', params)
      this.lastEventId = events.at(-1).id
      const found = events.find(isIt)
      if (found) return found
    }
  }
}
