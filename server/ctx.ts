import type { Config } from './config.js'
import type { Log, Trace } from './log.js'
import type { Emit } from './realtime/emission.js'
import type { Realtime } from './realtime/realtime.js'
import type { Attempts } from './redis/attempts.js'
import type { RedisClient } from './redis/client.js'
import type { PresenceStore } from './redis/presence.js'
import type { Audiences } from './store/audiences.js'
import type { Conversations } from './store/conversations.js'
import type { Sql, Tx } from './store/db.js'
import type { Directory } from './store/directory.js'
import type { KnownTopics } from './store/known-topics.js'
import type { MessageWriter } from './store/message-writer.js'
import type { SubscriberCache } from './store/subscriber-cache.js'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** One transaction and the events that tell of it: published once it has committed, stored in the outbox until then. */
export type Write = <T>(work: (tx: Tx, emit: Emit) => Promise<T>, trace?: Trace, origin?: Origin) => Promise<T>

/** Who asked for a change, as the audit log tells it. Without one it is the server itself. */
export interface Origin {
  readonly userId: number | null
  readonly operation: string
  readonly requestId: string
  readonly address: string
}

/**
 * What every operation is given. Built once, in app.ts; each request has one of its own on top of that, whose `log` names the request
 * (net/request-scope.ts).
 */
export interface Ctx {
  readonly config: Config
  readonly log: Log
  /** Undefined where nobody wants to read of the events of this request. */
  readonly trace?: Trace
  readonly clock: Clock
  readonly sql: Sql
  /** For searches alone: a few connections whose statements may take less time. */
  readonly searching: Sql
  readonly redis: RedisClient
  readonly attempts: Attempts
  /** Who was there when. */
  readonly presence: Pick<PresenceStore, 'exchange'>
  readonly directory: Directory
  readonly realtime: Realtime
  readonly write: Write
  /** The way in for new messages: concurrent ones share a statement. */
  readonly messageWriter: MessageWriter
  readonly audiences: Audiences
  readonly conversations: Conversations
  readonly knownTopics: KnownTopics
  readonly subscribers: SubscriberCache
  /** Base address without a trailing slash, for example `http://127.0.0.1:9991`. */
  readonly publicUrl: string
  /** Host of the public address: domain of dummy addresses (`user5@host`). */
  readonly realmHost: string
}
