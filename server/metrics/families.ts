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
  parley_workers_answered: gauge('Workers that answered this scrape in time.'),
  parley_worker_restarts_total: counter('Workers started in place of one that died.'),
  parley_worker_replacements_total: counter('Workers started to replace one that the supervisor stopped.'),
  parley_workers_replaced_total: counter('Workers replaced without a request of the operator, by reason.'),

  // Connections.
  parley_http_connections: gauge('Connections that are open for HTTP requests.', each),
  parley_sockets: gauge('WebSockets that are open, by codec.', each),
  parley_sockets_opened_total: counter('WebSockets that were opened, by codec.'),
  parley_socket_closes_total: counter('WebSockets that the server closed, by close code.'),

  // Requests, of HTTP and of sockets.
  parley_requests_total: counter('Requests that were answered, by area of the API and class of status.', each),
  parley_request_duration_seconds: histogram(
    'Time from reading a request until its answer is ready, by area; without long polls.',
    { bounds: coarseBounds },
  ),
  parley_requests_in_progress: gauge('HTTP requests without a whole answer yet, including waiting polls.', each),
  parley_refusals_total: counter('Requests and frames that were refused, by error code.'),

  // Event queues.
  parley_queues: gauge('Event queues that workers own.', each),
  parley_queue_consumers: gauge('Queues with a consumer: an attached socket or a waiting poll.', each),
  parley_queues_behind: gauge('Queues whose socket is full or is catching up.', each),
  parley_queue_unread_events: gauge('Events that clients have not acknowledged.', each),
  parley_queues_registered_total: counter('Queues that were registered.'),
  parley_queues_taken_over_total: counter('Queues taken over from another worker.'),
  parley_queues_lost_total: counter('Queues evicted because they could not be complete.'),
  parley_log_writes_total: counter('Writes of unacknowledged references to queue logs in Redis.'),

  // Events.
  parley_events_published_total: counter('Events that workers of this machine published.'),
  parley_feed_entries_total: counter('Feed entries that a worker received; every worker receives all of them.', {
    together: 'never',
    ofWorkers: true,
  }),
  parley_deliveries_total: counter('Events sent to clients, by transport and codec, including heartbeats.', each),
  parley_socket_frames_total: counter('Frames with events sent to sockets.'),
  parley_heartbeats_total: counter('Heartbeat events.'),
  parley_publish_delay_seconds: histogram(
    'Time from the commit of a transaction until its event is in the feed.',
    fine,
  ),
  parley_delivery_delay_seconds: histogram(
    'Time from publishing an event until a worker has passed it to the kernel for its last consumer.',
    fine,
  ),
  parley_feed_lag_seconds: gauge('Age of the newest feed entry when a worker received it.', {
    together: 'highest',
    ofWorkers: true,
  }),
  parley_publisher_waiting_events: gauge('Events of committed transactions that are not in the feed yet.', each),

  // Messages and the outbox.
  parley_messages_sent_total: counter('Messages that were stored.'),
  parley_messages_waiting: gauge('Messages that wait to be stored.'),
  parley_outbox_rows: gauge('Rows of the outbox: events of the last seconds, and unpublished ones.', {
    together: 'highest',
  }),
  parley_outbox_oldest_seconds: gauge('Age of the oldest row of the outbox.', { together: 'highest' }),

  // Jobs.
  parley_jobs_waiting: gauge('Jobs that are due, run, or wait behind another one of their key, by kind.', {
    together: 'highest',
  }),
  parley_jobs_oldest_seconds: gauge('Time since the job was due that has been due for longest, by kind.', {
    together: 'highest',
  }),
  parley_jobs_dead: gauge('Jobs that failed for the last time, by kind.', { together: 'highest' }),
  parley_jobs_running: gauge('Jobs that run, by kind.', each),
  parley_jobs_total: counter('Attempts at jobs that ended, by kind and outcome: done, failed, dead or returned.', each),
  parley_job_duration_seconds: histogram('Time of an attempt that was done, by kind.', { bounds: coarseBounds }),

  // Pictures.
  parley_pictures_waiting: gauge('Uploads, avatars and emoji that wait for their turn at the decoder of pictures.'),
  parley_incoming_mails_total: counter('Mails that arrived, by outcome, one for each recipient.'),
  parley_pictures_total: counter('Pictures that were drawn, refused, or ended the decoder, by outcome.'),

  // Databases.
  parley_postgres_up: gauge('1 if PostgreSQL answers all workers, otherwise 0.', {
    together: 'lowest',
    ofWorkers: true,
  }),
  parley_postgres_round_trip_seconds: histogram(
    'Duration of a query once a second, including the wait for a connection.',
    fine,
  ),
  parley_postgres_connections: gauge(
    'Open connections to PostgreSQL, and those of them that wait for an answer.',
    each,
  ),
  parley_redis_up: gauge('1 if Redis answers all workers, otherwise 0.', { together: 'lowest', ofWorkers: true }),
  parley_redis_round_trip_seconds: histogram('Duration of a Redis command once a second.', fine),

  // Files.
  parley_files_up: gauge('1 if every worker can use the store of files, otherwise 0.', {
    together: 'lowest',
    ofWorkers: true,
  }),
  parley_files_bytes: gauge('Bytes of uploaded files, and of the parts of unfinished uploads, by kind.', {
    together: 'highest',
  }),
  parley_files_disk_free_bytes: gauge('Free bytes of the disk of the files.', { together: 'lowest' }),
  parley_files_disk_bytes: gauge('Size of the disk of the files.', { together: 'lowest' }),
  parley_file_operations_total: counter('Calls of the store of files, by operation.'),
  parley_file_failures_total: counter('Calls of the store of files that it failed, by operation.'),
  parley_file_written_bytes_total: counter('Bytes that were stored, by kind.'),
  parley_file_read_bytes_total: counter('Bytes that were read from the store of files, by kind.'),

  // The process.
  parley_resident_memory_bytes: gauge('Resident memory of workers.', each),
  parley_heap_used_bytes: gauge('Used heap memory of V8.', each),
  parley_heap_total_bytes: gauge('Reserved heap memory of V8.', each),
  parley_external_memory_bytes: gauge('Memory outside the heap that JavaScript objects hold.', each),
  parley_cpu_seconds_total: counter('CPU time of workers.', each),
  parley_event_loop_active_seconds_total: counter('Time in which the event loop was busy.', each),
  parley_event_loop_delay_seconds: gauge(
    'Delay of a timer: percentiles of the last 5 s, and the maximum (100) of the last minute.',
    {
      together: 'highest',
      ofWorkers: true,
    },
  ),
  parley_gc_seconds_total: counter('Time spent in garbage collection, by kind.', each),
  parley_gc_runs_total: counter('Garbage collections, by kind.', each),
  parley_start_time_seconds: gauge('Start time of a worker, in seconds since the epoch.', {
    together: 'never',
    ofWorkers: true,
  }),
  parley_info: gauge('Always 1; the labels have the versions of the program and of Node.', { together: 'highest' }),
} satisfies Record<string, Family>

export type FamilyName = keyof typeof families
