import type { Sample } from './sampler.js'

/** One observed size. */
export interface Size {
  readonly name: string
  readonly unit: 'MB' | ''
  readonly value: (sample: Sample) => number
  /** Whether the size must not grow. Others are permanent data, or grow with it. */
  readonly isBounded: boolean
}

const megabyte = 1e6

const ofWorkers = (value: (worker: Sample['workers'][number]) => number) => (sample: Sample) =>
  sample.workers.reduce((sum, worker) => sum + value(worker), 0) / megabyte
const bounded = (name: string, unit: Size['unit'], value: Size['value']): Size => ({
  name,
  unit,
  value,
  isBounded: true,
})
const growing = (name: string, unit: Size['unit'], value: Size['value']): Size => ({
  name,
  unit,
  value,
  isBounded: false,
})

export const sizes = {
  workers: bounded(
    'workers, all memory',
    'MB',
    ofWorkers(({ bytes }) => bytes),
  ),
  heap: bounded(
    'workers, live heap',
    'MB',
    ofWorkers(({ heapBytes }) => heapBytes),
  ),
  buffers: bounded(
    'workers, buffers',
    'MB',
    ofWorkers(({ externalBytes }) => externalBytes),
  ),
  supervisor: bounded('supervisor, all memory', 'MB', ({ supervisorBytes }) => supervisorBytes / megabyte),
  redisData: bounded('Redis, data', 'MB', ({ redis }) => redis.usedBytes / megabyte),
  redis: bounded('Redis, all memory', 'MB', ({ redisBytes }) => redisBytes / megabyte),
  postgres: growing('PostgreSQL, all memory', 'MB', ({ postgresBytes }) => postgresBytes / megabyte),
  queues: bounded('queues', '', ({ redis }) => redis.queues),
  logs: bounded('logs of queues', '', ({ redis }) => redis.logs),
  keys: bounded('keys of Redis', '', ({ redis }) => redis.keys),
  feed: bounded('feed entries', '', ({ redis }) => redis.feedEntries),
  outbox: bounded('outbox rows', '', ({ database }) => database.outbox),
  files: bounded('open files of the workers', '', ({ openFiles }) => openFiles),
  connections: bounded('connections of PostgreSQL', '', ({ database }) => database.connections),
  database: growing('database', 'MB', ({ database }) => database.bytes / megabyte),
} as const satisfies Readonly<Record<string, Size>>
