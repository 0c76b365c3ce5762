import type { Registered } from './notices.js'
import type { Params } from './options.js'
import type { RequestError } from './request-error.js'

/** A request for a queue that is repeated over several connections until it succeeds or is refused. */
export class Registration {
  readonly done: Promise<Registered>
  isPending = true
  private resolve!: (registered: Registered) => void
  private reject!: (error: RequestError) => void

  constructor(
    readonly params: Params,
    /** True if the client registers again by itself because the server lost the queue. */
    readonly isAgain = false,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  succeed(registered: Registered): void {
    this.isPending = false
    this.resolve(registered)
  }

  fail(error: RequestError): void {
    this.isPending = false
    this.reject(error)
  }

  /** Settles as a later registration does that replaces this one. */
  follow(later: Registration): void {
    if (!this.isPending) return
    later.done.then(
      registered => this.succeed(registered),
      error => this.fail(error),
    )
  }
}
