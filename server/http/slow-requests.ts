import type { Route } from '../api/route.js'
import type { Log } from '../log.js'
import { StatementTally } from '../store/driver/statement-tally.js'
import { type Named, namedFields } from './answer.js'
import { waiting } from './connection-counts.js'

/** Where the time of a request went, in ms; undefined: it did not come so far. */
export interface RequestParts {
  /** Finding the operation and the caller, and the charge of the rate limit. */
  readonly authenticate: number | undefined
  /** The turn of a large request. */
  readonly wait: number | undefined
  /** The parameters. */
  readonly parse: number | undefined
  /** The operation itself. */
  readonly handle: number | undefined
  /** The text of the answer. */
  readonly encode: number
}

export interface SlowRequest {
  readonly named: Named
  readonly route: Route | undefined
  readonly status: number
  readonly user: number | undefined
  readonly ms: number
  /** The client sent bytes of the body for so long while the operation waited for them: not part of `ms`. */
  readonly bodyMs: number
  /** Time in which the event loop worked for the request. */
  readonly busyMs: number
  readonly parts: RequestParts
  readonly tally: StatementTally | undefined
  readonly bytesIn: number
  readonly bytesOut: number
  /** The client left before the answer. */
  readonly isGone: boolean
}

/** Logs requests that took longer than a threshold, with their parts and without what they said. */
export class SlowRequests {
  /** @param thresholdMs 0: none is logged */
  constructor(
    private readonly log: Log,
    private readonly thresholdMs: number,
  ) {}

  /** For a request whose statements are to be counted. Undefined: it only waits for events, or none is logged. */
  tallyFor(route: Route): StatementTally | undefined {
    return this.thresholdMs > 0 && !waiting.has(route.operation) ? new StatementTally() : undefined
  }

  isSlow(ms: number, route: Route | undefined): boolean {
    return this.thresholdMs > 0 && ms >= this.thresholdMs && !(route && waiting.has(route.operation))
  }

  /** Must be called when the answer has been passed on. Logs it when the answer has been written, at the end of this turn of the event loop. */
  answered(request: SlowRequest): void {
    const since = performance.now()
    // The client's address cannot be read later.
    const fields = { ...namedFields(request.named), ...fieldsOf(request) }
    setImmediate(() => this.log.info({ ...fields, writeMs: rounded(performance.now() - since) }, 'slow request'))
  }
}

function fieldsOf({ route, status, user, ms, bodyMs, busyMs, parts, tally, ...request }: SlowRequest) {
  return {
    operation: route?.operation,
    status,
    user,
    ms: rounded(ms),
    authenticateMs: rounded(parts.authenticate),
    waitMs: rounded(parts.wait),
    parseMs: rounded(parts.parse),
    handleMs: rounded(parts.handle),
    databaseMs: rounded(tally?.ms),
    statements: tally?.statements,
    encodeMs: rounded(parts.encode),
    busyMs: rounded(busyMs),
    bodyMs: bodyMs > 0 ? rounded(bodyMs) : undefined,
    bytesIn: request.bytesIn,
    bytesOut: request.bytesOut,
    gone: request.isGone || undefined,
  }
}

const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Number(ms.toFixed(1)))
