import type { Snapshot } from './snapshot.js'

/** The values of one moment: times in ms, memory in MiB; undefined without data. */
export interface Point {
  readonly sockets?: number
  readonly http?: number
  readonly polls?: number
  readonly queues?: number
  readonly behind?: number
  readonly eventsIn?: number
  readonly eventsOut?: number
  readonly requests?: number
  readonly delay50?: number
  readonly delay99?: number
  readonly publish99?: number
  readonly postgres?: number
  readonly redis?: number
  readonly jobsWaiting?: number
  readonly jobsEnded?: number
  readonly jobsDead?: number
  readonly resident?: number
  readonly heap?: number
  readonly loop99?: number
  readonly cpu?: number
}

export type Field = keyof Point

const mebibyte = 2 ** 20
const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)
const mib = (bytes: number | undefined) => (bytes === undefined ? undefined : bytes / mebibyte)

/** `last` is a second earlier, `before` some seconds: percentiles of delays need that many requests. */
export function pointOf(now: Snapshot, last: Snapshot, before: Snapshot): Point {
  const cpu = now.rate('parley_cpu_seconds_total', last)
  return {
    sockets: now.value('parley_sockets'),
    http: now.value('parley_http_connections'),
    polls: now.value('parley_queue_consumers', { transport: 'poll' }),
    queues: now.value('parley_queues'),
    behind: now.value('parley_queues_behind'),
    eventsIn: now.rate('parley_events_published_total', last),
    eventsOut: now.rate('parley_deliveries_total', last),
    requests: now.rate('parley_requests_total', last),
    delay50: ms(now.quantile('parley_delivery_delay_seconds', 0.5, before)),
    delay99: ms(now.quantile('parley_delivery_delay_seconds', 0.99, before)),
    publish99: ms(now.quantile('parley_publish_delay_seconds', 0.99, before)),
    postgres: ms(now.mean('parley_postgres_round_trip_seconds', before)),
    redis: ms(now.mean('parley_redis_round_trip_seconds', before)),
    jobsWaiting: now.value('parley_jobs_waiting'),
    jobsEnded: now.rate('parley_jobs_total', last),
    jobsDead: now.value('parley_jobs_dead'),
    resident: mib(now.value('parley_resident_memory_bytes')),
    heap: mib(now.value('parley_heap_used_bytes')),
    loop99: ms(now.value('parley_event_loop_delay_seconds', { percentile: '99' })),
    cpu: cpu === undefined ? undefined : cpu * 100,
  }
}
