import type { Registered } from './notices.js'
import type { Params } from './options.js'
import type { RequestError } from './request-error.js'

/** The wish for a queue, until it is met or refused. */
export class Registration {
  readonly done: Promise<Registered>
  isPending = true
  #resolve!: (registered: Registered) => void
  #reject!: (error: RequestError) => void

  constructor(
    readonly params: Params,
    /** Nobody asked for it: the queue before was lost. */
    readonly isAgain = false,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  succeed(registered: Registered): void {
    this.isPending = false
    this.#resolve(registered)
  }

  fail(error: RequestError): void {
    this.isPending = false
    this.#reject(error)
  }

  /** Ends as the later one does. */
  follow(later: Registration): void {
    if (!this.isPending) return
    later.done.then(
      registered => this.succeed(registered),
      error => this.fail(error),
    )
  }
}
