import type { QueueNarrow } from '../text/queue-narrow.js'
import { packOptions, type SharableOptions, unpackOptions } from './packed-options.js'
import type { SharedView, Views } from './views.js'

/** The options of one or more queues. Thousands of clients of the same program register with equal options and share one object. */
export class SharedOptions {
  queues = 0
  /** Event types that the queues accept; null: all. */
  readonly eventTypes: ReadonlySet<string> | null
  readonly narrow: QueueNarrow | null
  readonly allPublicStreams: boolean
  readonly idleSeconds: number

  constructor(
    /** The text that Redis stores. */
    readonly packed: string,
    { eventTypes, narrow, allPublicStreams, idleSeconds }: SharableOptions,
    readonly view: SharedView,
  ) {
    this.eventTypes = eventTypes && new Set(eventTypes)
    this.narrow = narrow
    this.allPublicStreams = allPublicStreams
    this.idleSeconds = idleSeconds
  }
}

/** The options in use, counted by queue; removing the last queue with some options removes them, so the queues bound the pool. */
export class OptionsPool {
  readonly #views: Views
  readonly #shared = new Map<string, SharedOptions>()

  constructor(views: Views) {
    this.#views = views
  }

  take(options: SharableOptions): SharedOptions {
    return this.#take(packOptions(options), options)
  }

  /** As `take`, from the text that Redis stores. */
  takePacked(text: string): SharedOptions {
    return this.#take(text)
  }

  release(shared: SharedOptions): void {
    if (--shared.queues > 0) return
    this.#shared.delete(shared.packed)
    this.#views.release(shared.view)
  }

  #take(packed: string, options = unpackOptions(packed)): SharedOptions {
    let shared = this.#shared.get(packed)
    if (!shared) {
      shared = new SharedOptions(packed, options, this.#views.take(options.view))
      this.#shared.set(packed, shared)
    }
    shared.queues++
    return shared
  }
}
