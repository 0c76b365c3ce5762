import type { PartState, Readiness } from '../http/monitoring.js'
import type { EngineCounts } from '../realtime/engine-counts.js'
import type { DatabaseCounts } from '../store/driver/database-counts.js'

// PostgreSQL and Redis get a request once a second. On an overloaded machine answers are late, and taking its workers out would only
// add load to the others; beyond this time the database counts as unavailable.
const answerMs = 5000
// The tail reads the feed once a second, also without notifications, and retries a failed read. At the start, and after a broken
// connection, the first reads fail, so the limit is longer than for a database.
const tailMs = 12_000
// A worker whose feed lags more is not ready: its clients would get every event that much later.
const lagMs = 10_000

/**
 * Whether this worker is ready. It sends no requests: it uses the times of the last answers to the requests that the worker sends to
 * PostgreSQL and Redis once a second anyway, and the last check of the files (files-watch.ts).
 */
export function readinessOf(
  database: DatabaseCounts,
  engine: EngineCounts,
  files: PartState,
  isStopping: boolean,
): Readiness {
  const now = performance.now()
  const needed = {
    server: isStopping ? failing('it stops: no new work') : fine,
    postgres: answers(database.isFailing, now - database.answeredAt, answerMs),
    redis: answers(engine.isRedisFailing, now - engine.redisAnsweredAt, answerMs),
    feed: feed(engine, now),
  }
  const isReady = Object.values(needed).every(({ ok }) => ok)
  // Files alone do not take a worker out: all workers may share their store, and messages need none.
  return { status: !isReady ? 'not ready' : files.ok ? 'ready' : 'degraded', parts: { ...needed, files } }
}

const fine: PartState = { ok: true }
const failing = (reason: string): PartState => ({ ok: false, reason })

function answers(isFailing: boolean, silentMs: number, mostMs: number): PartState {
  if (silentMs > mostMs) return failing(`no answer for ${Math.round(silentMs / 1000)} s`)
  return isFailing ? failing('the last request failed') : fine
}

function feed({ isTailFailing, tailAnsweredAt, feedLag }: EngineCounts, now: number): PartState {
  const silentMs = now - tailAnsweredAt
  const state = answers(isTailFailing && silentMs > answerMs, silentMs, tailMs)
  if (!state.ok || feedLag <= lagMs) return state
  return failing(`${Math.round(feedLag / 1000)} s behind`)
}
