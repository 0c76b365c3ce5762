import type { PartState, Readiness } from '../net/monitoring.js'
import type { EngineCounts } from '../realtime/engine-counts.js'
import type { DatabaseCounts } from '../store/database-counts.js'

// Both are asked once a second. A machine that is short of time answers late, and taking it out would leave more work to the others:
// this long is no longer late.
const answerMs = 5000
// The tail looks at the feed once a second, also when it was told of nothing, and again after a look that failed: at the start, and
// when a connection breaks, the first ones do.
const tailMs = 12_000
// Clients of this worker would learn of everything so much later: others should be sent to another one.
const lagMs = 10_000

/**
 * Whether this worker can do its work. Nothing is asked for it: it looks at when PostgreSQL and Redis last answered what the worker
 * asks them once a second in any case.
 */
export function readinessOf(database: DatabaseCounts, engine: EngineCounts, isStopping: boolean): Readiness {
  const now = performance.now()
  const parts = {
    server: isStopping ? failing('it stops: no new work') : fine,
    postgres: answers(database.isFailing, now - database.heardAt, answerMs),
    redis: answers(engine.isRedisFailing, now - engine.redisHeardAt, answerMs),
    feed: feed(engine, now),
  }
  return { status: Object.values(parts).every(({ ok }) => ok) ? 'ready' : 'not ready', parts }
}

const fine: PartState = { ok: true }
const failing = (reason: string): PartState => ({ ok: false, reason })

function answers(isFailing: boolean, silentMs: number, mostMs: number): PartState {
  if (silentMs > mostMs) return failing(`no answer for ${Math.round(silentMs / 1000)} s`)
  return isFailing ? failing('the last request failed') : fine
}

function feed({ isTailFailing, tailHeardAt, feedLag }: EngineCounts, now: number): PartState {
  const silentMs = now - tailHeardAt
  const state = answers(isTailFailing && silentMs > answerMs, silentMs, tailMs)
  if (!state.ok || feedLag <= lagMs) return state
  return failing(`${Math.round(feedLag / 1000)} s behind`)
}
