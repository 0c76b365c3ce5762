import { publishInserted } from './actions/messages/publish-inserted.js'
import { createWrite } from './actions/write.js'
import type { Clock } from './concurrency/clock.js'
import { JsonBuffers } from './concurrency/json-buffers.js'
import { type Config, ownUrl } from './config.js'
import type { Ctx, Jobs, Origin, Publisher } from './ctx.js'
import type { External } from './external/external.js'
import { logFailure } from './failures/log-failure.js'
import { PictureQueue, type TakeTurn } from './images/picture-queue.js'
import { WorkLimits } from './limits/work-limits.js'
import type { Log } from './log.js'
import type { Directory } from './memory/directory.js'
import { Memory } from './memory/memory.js'
import type { RedisClient } from './redis/client.js'
import type { Storage } from './storage/storage.js'
import type { Sql } from './store/driver/db.js'
import { MessageWriter } from './store/sending/message-writer.js'
import { RenderThreads } from './text/threads/render-threads.js'

/** What a worker and an administration command have in forms of their own. */
interface ContextParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly sql: Sql
  readonly searching: Sql
  /** Pools of one connection each, for the insert of messages. */
  readonly writing: readonly Sql[]
  readonly redis?: RedisClient
  readonly directory: Directory
  readonly realtime: Publisher
  readonly presence: Ctx['presence']
  readonly jobs: Jobs
  readonly storage: Storage
  readonly external: External | null
  readonly startedAt: number
  /** The origin of changes that no request makes; absent: the server. */
  readonly origin?: Origin
  readonly takeDecodeTurn?: TakeTurn | undefined
}

/** Builds what changes of state depend on. The caller stops `pictures` and `renderThreads`, and closes `storage` and the pools. */
export function buildContext(parts: ContextParts): Ctx {
  const { writing, origin, takeDecodeTurn, ...shared } = parts
  const { config, log, sql, directory, realtime } = parts
  const publicUrl = config.publicUrl ?? ownUrl(config)
  return {
    ...shared,
    workLimits: new WorkLimits(),
    write: createWrite(parts, origin),
    messageWriter: new MessageWriter(sql, writing, publishInserted(realtime, parts.jobs), error =>
      logFailure(parts, error, 'work after storing a message failed'),
    ),
    memory: new Memory(sql, directory),
    jsonBuffers: new JsonBuffers(),
    renderThreads: new RenderThreads(log),
    pictures: new PictureQueue(log, takeDecodeTurn),
    publicUrl,
    realmHost: new URL(publicUrl).hostname,
  }
}
