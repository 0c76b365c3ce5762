import { coarseBounds, fineBounds } from './distribution.js'

/** The definition of one metric. */
export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** How the values of several workers are combined. `never`: only the values of each worker are exposed. */
  readonly together: 'sum' | 'highest' | 'lowest' | 'never'
  /** The values of each worker are exposed, too, as `parley_worker_…{worker="1"}`: another name, so that no sum counts them twice. */
  readonly ofWorkers: boolean
  /** Upper bounds of a histogram's buckets. */
  readonly bounds: readonly number[]
}

const family =
  (type: Family['type']) =>
  (help: string, { together = 'sum', ofWorkers = false, bounds = [] }: Partial<Family> = {}): Family => ({
    type,
    help,
    together,
    ofWorkers,
    bounds,
  })
const counter = family('counter')
const gauge = family('gauge')
const histogram = family('histogram')
const each = { ofWorkers: true } as const
const fine = { bounds: fineBounds, ofWorkers: true } as const

/** Every metric of the server. Names follow the conventions of Prometheus: base units, and `_total` for counters. */
export const families = {
  // Processes of this machine.
  parley_workers: gauge('Workers that run on this machine.'),
  parley_workers_answered: gauge('Workers whose figures are in this answer; the others did not answer in time.'),
  parley_worker_restarts_total: counter('Workers started in the place of one that died.'),
  parley_worker_replacements_total: counter('Workers started to replace one that the supervisor stopped.'),
  parley_workers_replaced_total: counter(
    'Workers that were replaced because they hung, were near their memory limit, or died.',
  ),

  // Connections.
  parley_http_connections: gauge('Connections that are open for HTTP requests.', each),
  parley_sockets: gauge('WebSockets that are open, by codec.', each),
  parley_sockets_opened_total: counter('WebSockets that were opened, by codec.'),
  parley_socket_closes_total: counter('WebSockets that the server closed, by close code.'),

  // Requests, of HTTP and of sockets.
  parley_requests_total: counter('Requests that were answered, by area of the API and class of status.', each),
  parley_request_duration_seconds: histogram(
    'From when a request was read until its answer was ready, by area. Waiting polls are not in it.',
    { bounds: coarseBounds },
  ),
  parley_requests_in_progress: gauge('HTTP requests that are not answered yet; waiting polls are among them.', each),
  parley_refusals_total: counter('Requests and frames that were refused, by error code.'),

  // Event queues.
  parley_queues: gauge('Event queues that a worker holds.', each),
  parley_queue_readers: gauge('Queues with a reader: a socket or a waiting poll.', each),
  parley_queues_behind: gauge('Queues whose socket is full, or is catching up.', each),
  parley_queue_unread_events: gauge('Events that clients have not acknowledged.', each),
  parley_queues_registered_total: counter('Queues that were registered.'),
  parley_queues_taken_over_total: counter('Queues that came from another worker, which may be gone.'),
  parley_queues_lost_total: counter('Queues that were dropped because they could not be delivered whole.'),
  parley_log_writes_total: counter('Writes to the logs of queues: unacknowledged events that go to Redis.'),

  // Events.
  parley_events_published_total: counter('Events that workers of this machine put into the feed.'),
  parley_feed_entries_total: counter('Entries of the feed that came to a worker. Each worker gets all of them.', {
    together: 'never',
    ofWorkers: true,
  }),
  parley_deliveries_total: counter(
    'Events handed to clients, by transport and codec; heartbeats are among them.',
    each,
  ),
  parley_socket_frames_total: counter('Frames with events that sockets were sent.'),
  parley_heartbeats_total: counter('Heartbeat events.'),
  parley_publish_delay_seconds: histogram('From the commit of a write until its event is in the feed.', fine),
  parley_delivery_delay_seconds: histogram(
    'From when an event is in the feed until a worker has given it to the kernel for the last of its readers.',
    fine,
  ),
  parley_feed_lag_seconds: gauge('Age of the newest entry of the feed that a worker has, when it came.', {
    together: 'highest',
    ofWorkers: true,
  }),
  parley_publisher_waiting_events: gauge('Events of committed writes that are not in the feed yet.', each),

  // Messages and the outbox.
  parley_messages_sent_total: counter('Messages that were stored.'),
  parley_messages_waiting: gauge('Messages that wait to be stored.'),
  parley_outbox_rows: gauge('Rows of the outbox: events of the last seconds, and what could not be published.', {
    together: 'highest',
  }),
  parley_outbox_oldest_seconds: gauge('Age of the oldest row of the outbox.', { together: 'highest' }),

  // Databases.
  parley_postgres_up: gauge('1: PostgreSQL answers all workers.', { together: 'lowest', ofWorkers: true }),
  parley_postgres_round_trip_seconds: histogram(
    'A question to PostgreSQL once a second, with the wait for a connection.',
    fine,
  ),
  parley_postgres_connections: gauge(
    'Connections to PostgreSQL that are open, and of these those that owe an answer.',
    each,
  ),
  parley_redis_up: gauge('1: Redis answers all workers.', { together: 'lowest', ofWorkers: true }),
  parley_redis_round_trip_seconds: histogram('A command to Redis once a second.', fine),

  // The process.
  parley_resident_memory_bytes: gauge('Memory of workers in RAM.', each),
  parley_heap_used_bytes: gauge('Memory of JavaScript that is used.', each),
  parley_heap_total_bytes: gauge('Memory of JavaScript that is reserved.', each),
  parley_external_memory_bytes: gauge('Memory that JavaScript holds outside of its heap.', each),
  parley_cpu_seconds_total: counter('CPU time of workers.', each),
  parley_event_loop_active_seconds_total: counter('Time in which the loop had work.', each),
  parley_event_loop_delay_seconds: gauge(
    'How late a timer was, of the last five seconds; maximum of the last minute.',
    {
      together: 'highest',
      ofWorkers: true,
    },
  ),
  parley_gc_seconds_total: counter('Time that garbage collection took, by kind.', each),
  parley_gc_runs_total: counter('Garbage collections, by kind.', each),
  parley_start_time_seconds: gauge('When a worker started, since the epoch.', { together: 'never', ofWorkers: true }),
  parley_info: gauge('1, with the versions of server and Node.', { together: 'highest' }),
} satisfies Record<string, Family>

export type FamilyName = keyof typeof families
