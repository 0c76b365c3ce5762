import type { Loose } from '../support/in-step.js'
import type { Person } from '../support/people.js'

/**
 * What a person's client hears of commands: their events wait, for a second or so, for a worker that finds them. Ask this before a
 * `Listener.inStep`, which would compare the new state with events that are still on their way.
 */
export class Told {
  private lastEventId = -1

  private constructor(
    private readonly person: Person,
    private readonly queueId: string,
  ) {}

  static async start(person: Person, event_types: readonly string[]): Promise<Told> {
    const { queue_id } = await person.ok('POST', '/register', { event_types, fetch_event_types: [] })
    return new Told(person, queue_id)
  }

  /** Resolves when an event has come for which `isIt` holds. */
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
