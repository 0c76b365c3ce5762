import type { AuditChange } from '../shared/events/audit.js'
import type { Clock } from './concurrency/clock.js'
import type { JsonBuffers } from './concurrency/json-buffers.js'
import type { Config } from './config.js'
import type { External } from './external/external.js'
import type { PictureQueue } from './images/picture-queue.js'
import type { AddedJob, After, JobType } from './job-types/job-type.js'
import type { Attempts } from './limits/attempts.js'
import type { WorkLimits } from './limits/work-limits.js'
import type { Log, Trace } from './log.js'
import type { Directory } from './memory/directory.js'
import type { Memory } from './memory/memory.js'
import type { Emit } from './realtime/emission.js'
import type { Realtime } from './realtime/realtime.js'
import type { RedisClient } from './redis/client.js'
import type { PresenceStore } from './redis/presence.js'
import type { SlackPlaces } from './redis/slack-places.js'
import type { StreamedTexts } from './redis/streamed-texts.js'
import type { Storage } from './storage/storage.js'
import type { Sql, Tx } from './store/driver/db.js'
import type { StatementTally } from './store/driver/statement-tally.js'
import type { Parts } from './store/organization/outbox.js'
import type { MessageWriter } from './store/sending/message-writer.js'
import type { RenderThreads } from './text/threads/render-threads.js'

/** Adds an entry for a change without an event to the audit log, in the transaction of the change. */
export type Audit = (name: string, change: AuditChange) => void

/** Adds the encoded events of a message that the running transaction has stored. */
export type EmitMessage = (messageId: number, entries: readonly Uint8Array[]) => void

/**
 * Runs the statement of a change together with the events that were emitted so far (`storeWithEvents`); no further one may follow. Undefined: its
 * part `checked` or `done` has no row, and its events are dropped.
 */
export type Store = <Row extends object>(parts: Parts) => Promise<Row | undefined>

/** What a transaction adds beside events. */
export interface Additions {
  readonly audit: Audit
  readonly after: After
  readonly emitMessage: EmitMessage
  readonly store: Store
}

/**
 * Runs one transaction with its consequences: the outbox stores its events with the commit, and they are published after it; `after` adds
 * jobs, which workers run after the commit.
 */
export type Write = <T>(
  work: (tx: Tx, emit: Emit, additions: Additions) => Promise<T>,
  trace?: Trace,
  origin?: Origin,
  /** Counts the statements. */
  tally?: StatementTally,
) => Promise<T>

/** The caller that requested a change, for the audit log. Without an origin the server itself made the change. */
export interface Origin {
  readonly userId: number | null
  readonly operation: string
  readonly requestId: string
  readonly address: string
  /** The operating system's user that ran an administration command; otherwise absent. */
  readonly operator?: string
  /** Gets the ends of committed jobs for which the answer waits. */
  readonly awaited?: Promise<void>[]
}

/** The jobs of this worker. */
export interface Jobs {
  /**
   * A committed statement has added these jobs: the worker begins those that are due. `write` calls it for jobs of `after`. `awaited` gets the
   * ends of those for which an answer waits: each resolves when an attempt has ended in this worker, or after a second.
   */
  added(jobs: readonly AddedJob[], awaited?: Promise<void>[]): void
  /** Has the standing job of this kind run, in `inMs` ms at the earliest, and a moment after its last run. */
  wake(type: JobType, inMs?: number): void
}

/** What changes of state need of the event engine. */
export type Publisher = Pick<
  Realtime,
  'publish' | 'publishBehindOutbox' | 'knownRows' | 'announce' | 'recallDirectories' | 'revokeElsewhere'
>

/** The dependencies of changes of state, in a worker and in an administration command: `buildContext` builds them. */
export interface Ctx {
  readonly config: Config
  readonly log: Log
  /** Undefined if the log does not record the events of this request. */
  readonly trace?: Trace
  readonly clock: Clock
  readonly sql: Sql
  /** A pool for searches only: few connections, with a shorter statement timeout. */
  readonly searching: Sql
  /** Absent in an administration command. */
  readonly redis?: RedisClient
  readonly workLimits: WorkLimits
  /** Presence of users. */
  readonly presence: Pick<PresenceStore, 'exchange' | 'of' | 'noteUnshared'>
  readonly directory: Directory
  readonly realtime: Publisher
  readonly write: Write
  /** The request has an idempotency key, which `write` stores in the transaction of the change. */
  readonly isKeyed?: boolean
  readonly jobs: Jobs
  /** Stores new messages; concurrent messages share a statement. */
  readonly messageWriter: MessageWriter
  /** What this worker remembers beside the directory. */
  readonly memory: Memory
  readonly jsonBuffers: JsonBuffers
  readonly renderThreads: RenderThreads
  /** The bytes of files. */
  readonly storage: Storage
  /** Reads and scales pictures. */
  readonly pictures: PictureQueue
  /** Hosts to which messages link; null: the server connects to none (setting EXTERNAL_CONTENT). */
  readonly external: External | null
  /** Base address without a trailing slash, for example `http://127.0.0.1:9991`. */
  readonly publicUrl: string
  /** When the server started, in ms: the whole program, not this worker. */
  readonly startedAt: number
  /** Host of the public address, and domain of dummy email addresses (`user5@host`). */
  readonly realmHost: string
}

/**
 * The dependencies of operations and jobs: those that only a worker has, too. Each request has a derived object whose `log` names the
 * request (http/request-scope.ts).
 */
export interface WorkerCtx extends Ctx {
  readonly redis: RedisClient
  readonly realtime: Realtime
  readonly presence: Pick<PresenceStore, 'exchange' | 'of' | 'noteUnshared' | 'lookingSince' | 'forget'>
  readonly attempts: Attempts
  readonly slackPlaces: SlackPlaces
  readonly streamedTexts: StreamedTexts
}
