import type { QueueNarrow } from '../text/queue-narrow.js'
import { packOptions, type SharableOptions, unpackOptions } from './packed-options.js'
import type { SharedView, Views } from './views.js'

/** Options that at least one queue has. Thousands of clients of one program ask for the same. */
export class SharedOptions {
  queues = 0
  /** Event types that the queue takes; null: all. */
  readonly eventTypes: ReadonlySet<string> | null
  readonly narrow: QueueNarrow | null
  readonly allPublicStreams: boolean
  readonly idleSeconds: number

  constructor(
    /** As Redis keeps them. */
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

/** Bounded by the queues: options go with the last queue that has them. */
export class OptionsPool {
  readonly #views: Views
  readonly #shared = new Map<string, SharedOptions>()

  constructor(views: Views) {
    this.#views = views
  }

  take(options: SharableOptions): SharedOptions {
    return this.#take(packOptions(options), options)
  }

  /** From the text that Redis keeps. */
  takePacked(text: string): SharedOptions {
    if (this.#shared.has(text)) return this.#take(text)
    const options = unpackOptions(text)
    // An earlier version may have packed them in another way.
    return this.#take(packOptions(options), options)
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
