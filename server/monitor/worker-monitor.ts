import type { ConnectionFigures } from '../http/connection-counts.js'
import type { Monitor, Readiness } from '../http/monitoring.js'
import { type MachineReadings, machineReadings } from '../metrics/machine.js'
import { ProcessFigures } from '../metrics/process-figures.js'
import { type Reading, reading } from '../metrics/reading.js'
import type { EngineCounts } from '../realtime/engine-counts.js'
import type { RealtimeStats } from '../realtime/realtime.js'
import type { DatabaseCounts } from '../store/driver/database-counts.js'
import { CountedRows } from './counted-rows.js'
import type { FilesWatch } from './files-watch.js'
import { type JobsSource, runningJobReadings, waitingJobReadings } from './job-readings.js'
import { readinessOf } from './readiness.js'
import type { SupervisorLink } from './supervisor-link.js'
import {
  connectionReadings,
  databaseReadings,
  engineReadings,
  type MailFigures,
  mailReadings,
  type OutboxSize,
  outboxReadings,
  type PictureFigures,
  pictureReadings,
} from './worker-readings.js'

/** The parts of a worker whose state the readings show. */
interface Watched {
  readonly engine: { stats(): RealtimeStats; readonly counts: EngineCounts }
  readonly database: DatabaseCounts
  readonly outbox: OutboxSize
  readonly jobs: JobsSource
  readonly messages: { readonly stored: number; readonly waiting: number }
  readonly pictures: PictureFigures
  readonly files: FilesWatch
  readonly mails: MailFigures
}

/** Readings and readiness of one worker, and through the supervisor the readings of all workers of the machine. */
export class WorkerMonitor implements Monitor {
  private readonly link: SupervisorLink | undefined
  private readonly process = new ProcessFigures()
  private readonly counted: CountedRows
  private connections: (() => ConnectionFigures) | undefined

  /** Without a link this process is the only worker of the machine. */
  constructor(
    private readonly watched: Watched,
    link?: SupervisorLink,
  ) {
    this.link = link
    const { outbox, jobs } = watched
    this.counted = new CountedRows(async () => [...(await outboxReadings(outbox)), ...(await waitingJobReadings(jobs))])
    link?.serve(() => this.readings())
  }

  /** Adds the connections, which are opened after this monitor because they serve its answers. */
  watch(connections: () => ConnectionFigures): void {
    this.connections = connections
  }

  stop(): void {
    this.process.stop()
    this.counted.stop()
  }

  readiness(): Readiness {
    const { database, engine, files } = this.watched
    return readinessOf(database, engine.counts, files.state(), this.connections?.().isStopping ?? false)
  }

  async machine(): Promise<MachineReadings> {
    if (this.link) return this.link.machine()
    const alone = [reading('parley_workers', 1), reading('parley_workers_answered', 1)]
    return machineReadings([{ worker: '1', readings: this.readings() }], [], alone)
  }

  /** The readings of this worker only. */
  readings(): Reading[] {
    const { engine, database, jobs, messages, pictures, files, mails } = this.watched
    const { postgres, redis } = this.readiness().parts
    return [
      ...(this.connections ? connectionReadings(this.connections()) : []),
      ...engineReadings(engine.stats(), engine.counts),
      ...databaseReadings(database, messages),
      ...pictureReadings(pictures),
      ...mailReadings(mails),
      reading('parley_postgres_up', postgres.ok ? 1 : 0),
      reading('parley_redis_up', redis.ok ? 1 : 0),
      ...runningJobReadings(jobs),
      ...this.counted.readings(),
      ...files.readings(),
      ...this.process.readings(),
    ]
  }
}
