import { setTimeout as sleep } from 'node:timers/promises'
import type { PartState } from '../http/monitoring.js'
import type { Log } from '../log.js'
import { type Reading, reading } from '../metrics/reading.js'
import { roomOn } from '../storage/disk-room.js'
import type { DiskSpace, Storage } from '../storage/storage.js'
import { fileKinds, type StorageCounts, storageOperations } from '../storage/storage-counts.js'
import type { FileSizes } from '../store/files/file-sizes.js'

const checkIntervalMs = 5000
// A store that does not answer for this long is away; a request to an object store takes 15 s with its repetitions.
const answerMs = 20_000
// A write that failed counts for this long if none follows.
const failedWriteMs = 60_000
// Reading the sizes continues for this time after a scrape, so one scrape per minute keeps it running.
const afterScrapeMs = 90_000
const stopMs = 1000

/** What `FilesWatch` looks at. */
interface WatchedFiles {
  readonly storage: Pick<Storage, 'check' | 'space'>
  readonly counts: StorageCounts
  /** The database; asked only while the metrics are scraped. */
  sizes(): Promise<FileSizes>
  readonly log: Log
}

/** Checks the store of files every few seconds, so that no probe and no scrape has to wait for it. */
export class FilesWatch {
  private readonly timer: NodeJS.Timeout
  private running: Promise<void> | undefined
  private isFailing = false
  private answeredAt = performance.now()
  private disk: DiskSpace | undefined
  private sizes: FileSizes | undefined
  private scrapedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly files: WatchedFiles,
    intervalMs = checkIntervalMs,
  ) {
    this.timer = setInterval(() => this.start(), intervalMs).unref()
    this.start()
  }

  /** Resolves when a check that is under way has ended, or soon. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await Promise.race([this.running, sleep(stopMs)])
  }

  /** Does not wait. The reason names no place. */
  state(): PartState {
    const now = performance.now()
    const { writeFailedAt } = this.files.counts
    if (now - this.answeredAt > answerMs)
      return failing(`no answer for ${Math.round((now - this.answeredAt) / 1000)} s`)
    if (this.isFailing) return failing('the last check failed')
    if (this.disk && roomOn(this.disk) <= 0) return failing('no room for new files')
    if (writeFailedAt !== undefined && now - writeFailedAt < failedWriteMs) return failing('the last write failed')
    return { ok: true }
  }

  readings(): Reading[] {
    const isFirst = performance.now() - this.scrapedAt > afterScrapeMs
    this.scrapedAt = performance.now()
    if (isFirst) void this.readSizes()
    const { calls, failures, written, read } = this.files.counts
    return [
      reading('parley_files_up', this.state().ok ? 1 : 0),
      ...storageOperations.flatMap(operation => [
        reading('parley_file_operations_total', calls[operation], { operation }),
        reading('parley_file_failures_total', failures[operation], { operation }),
      ]),
      ...fileKinds.flatMap(kind => [
        reading('parley_file_written_bytes_total', written[kind], { kind }),
        reading('parley_file_read_bytes_total', read[kind], { kind }),
      ]),
      ...Object.entries(this.sizes ?? {}).map(([kind, bytes]) => reading('parley_files_bytes', bytes, { kind })),
      ...(this.disk
        ? [reading('parley_files_disk_free_bytes', this.disk.free), reading('parley_files_disk_bytes', this.disk.total)]
        : []),
    ]
  }

  private start(): void {
    this.running ??= this.check().finally(() => {
      this.running = undefined
    })
  }

  private async check(): Promise<void> {
    const { storage, log } = this.files
    try {
      await storage.check()
      this.disk = await storage.space()
      if (this.isFailing) log.info('the files can be used again')
      this.isFailing = false
    } catch (err) {
      // One log line for each outage, as for the databases.
      if (!this.isFailing) log.warn({ err }, 'the files cannot be used')
      this.isFailing = true
    }
    this.answeredAt = performance.now()
    await this.readSizes()
  }

  private async readSizes(): Promise<void> {
    const isScraped = performance.now() - this.scrapedAt <= afterScrapeMs
    // directory-refresh.ts logs the outage of PostgreSQL.
    this.sizes = isScraped ? await this.files.sizes().catch(() => undefined) : undefined
  }
}

const failing = (reason: string): PartState => ({ ok: false, reason })
