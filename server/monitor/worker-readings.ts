import type { ConnectionFigures } from '../http/connection-counts.js'
import { distributionReading, type Reading, reading } from '../metrics/reading.js'
import type { EngineCounts } from '../realtime/engine-counts.js'
import type { RealtimeStats } from '../realtime/realtime.js'
import type { DatabaseCounts } from '../store/driver/database-counts.js'

/** The readings of connections and answers. */
export function connectionReadings({ counts, httpConnections, sockets, inProgress }: ConnectionFigures): Reading[] {
  return [
    reading('parley_http_connections', httpConnections),
    reading('parley_requests_in_progress', inProgress),
    ...(['json', 'msgpack'] as const).flatMap(codec => [
      reading('parley_sockets', sockets[codec], { codec }),
      reading('parley_sockets_opened_total', counts.opened[codec], { codec }),
    ]),
    ...[...counts.closes].map(([code, n]) => reading('parley_socket_closes_total', n, { code: String(code) })),
    ...[...counts.refusals].map(([code, n]) => reading('parley_refusals_total', n, { code })),
    ...[...counts.areas].flatMap(([area, { classes, duration }]) => [
      ...[...classes].flatMap((n, kind) =>
        n > 0 ? [reading('parley_requests_total', n, { area, status: `${kind}xx` })] : [],
      ),
      ...(duration.counts.some(n => n > 0)
        ? [distributionReading('parley_request_duration_seconds', duration, { area })]
        : []),
    ]),
  ]
}

/** The readings of the event engine. */
export function engineReadings(stats: RealtimeStats, counts: EngineCounts): Reading[] {
  return [
    reading('parley_queues', stats.queues),
    reading('parley_queue_consumers', stats.attached, { transport: 'socket' }),
    reading('parley_queue_consumers', stats.polls, { transport: 'poll' }),
    reading('parley_queues_behind', stats.behind),
    reading('parley_queue_unread_events', stats.pendingEntries),
    reading('parley_queues_registered_total', counts.registered),
    reading('parley_queues_taken_over_total', counts.takenOver),
    reading('parley_queues_lost_total', counts.lost),
    reading('parley_log_writes_total', counts.logWrites),
    reading('parley_events_published_total', counts.published),
    reading('parley_feed_entries_total', counts.entries),
    reading('parley_deliveries_total', counts.json, { transport: 'socket', codec: 'json' }),
    reading('parley_deliveries_total', counts.msgpack, { transport: 'socket', codec: 'msgpack' }),
    reading('parley_deliveries_total', counts.polled, { transport: 'poll', codec: 'json' }),
    reading('parley_socket_frames_total', counts.frames),
    reading('parley_heartbeats_total', counts.heartbeats),
    distributionReading('parley_publish_delay_seconds', counts.publishing),
    distributionReading('parley_delivery_delay_seconds', counts.toSockets, { transport: 'socket' }),
    distributionReading('parley_delivery_delay_seconds', counts.toPolls, { transport: 'poll' }),
    reading('parley_feed_lag_seconds', Math.max(0, counts.feedLag / 1000)),
    reading('parley_publisher_waiting_events', stats.unpublished),
    distributionReading('parley_redis_round_trip_seconds', counts.redis),
  ]
}

/** The readings of this worker's database connections and of message storage. */
export function databaseReadings(
  { roundTrip, use }: DatabaseCounts,
  messages: { readonly stored: number; readonly waiting: number },
): Reading[] {
  return [
    distributionReading('parley_postgres_round_trip_seconds', roundTrip),
    reading('parley_postgres_connections', use.open, { state: 'open' }),
    reading('parley_postgres_connections', use.busy, { state: 'busy' }),
    reading('parley_messages_sent_total', messages.stored),
    reading('parley_messages_waiting', messages.waiting),
  ]
}

/** Pictures that wait for the decoder, and how often each outcome came. */
export interface PictureFigures {
  readonly waiting: number
  readonly counts: Readonly<Record<string, number>>
}

export function pictureReadings({ waiting, counts }: PictureFigures): Reading[] {
  return [
    reading('parley_pictures_waiting', waiting),
    ...Object.entries(counts).map(([outcome, n]) => reading('parley_pictures_total', n, { outcome })),
  ]
}

/** How often each outcome of an incoming mail came. */
export interface MailFigures {
  readonly outcomes: Readonly<Record<string, number>>
}

export const mailReadings = ({ outcomes }: MailFigures): Reading[] =>
  Object.entries(outcomes).map(([outcome, n]) => reading('parley_incoming_mails_total', n, { outcome }))

/** Counts the outbox; the store implements it. */
export interface OutboxSize {
  /** Number of rows, and age of the oldest row in seconds. */
  size(): Promise<{ rows: number; oldest: number }>
}

export async function outboxReadings(outbox: OutboxSize): Promise<Reading[]> {
  const { rows, oldest } = await outbox.size()
  return [reading('parley_outbox_rows', rows), reading('parley_outbox_oldest_seconds', oldest)]
}
