import { createWrite } from '../actions/write.js'
import { JsonBuffers } from '../concurrency/json-buffers.js'
import { SharedQuestion } from '../concurrency/shared-question.js'
import { type Config, ownUrl } from '../config.js'
import type { Ctx } from '../ctx.js'
import { openExternal } from '../external/external.js'
import { PictureQueue } from '../images/picture-queue.js'
import type { Attempts } from '../limits/attempts.js'
import { WorkLimits } from '../limits/work-limits.js'
import type { Log } from '../log.js'
import type { Realtime } from '../realtime/realtime.js'
import type { RedisClient } from '../redis/client.js'
import { openStorage } from '../storage/open-storage.js'
import { ActiveChannels } from '../store/channels/active-channels.js'
import { ChannelLists } from '../store/channels/channel-lists.js'
import { newestReceived } from '../store/channels/message-state.js'
import { ownSubscriptions } from '../store/channels/received.js'
import { SubscriberCache } from '../store/channels/subscriber-cache.js'
import { Audiences } from '../store/directory/audiences.js'
import { Directory } from '../store/directory/directory.js'
import { openDatabase } from '../store/driver/open-database.js'
import { Conversations } from '../store/messages/conversations.js'
import { EncodedMessages } from '../store/pages/encoded-messages.js'
import { ChannelIndex } from '../store/reading/channel-index.js'
import { MessageWriter } from '../store/sending/message-writer.js'
import { ChannelTopics } from '../store/topics/channel-topics.js'
import { KnownTopics } from '../store/topics/known-topics.js'
import { RenderThreads } from '../text/threads/render-threads.js'
import { commandOrigin } from './operator.js'

// Publishes nothing: events stay in the outbox until a worker publishes them, now or after its start.
const unpublished = {
  publish() {},
  publishBehindOutbox() {},
  announce() {},
  recallDirectories: async () => false,
  revokeElsewhere: async () => false,
  knownRows: { above: Number.MAX_SAFE_INTEGER, noted: 0, before: () => [] },
} as Partial<Realtime> as Realtime
// Runs no jobs: a worker finds the rows, now or after its start.
const forWorkers: Ctx['jobs'] = { added() {}, ended: async () => undefined }
// Actions that change durable state do not use Redis themselves.
const noRedis = {} as RedisClient
const noAttempts = {} as Attempts
// Presence exists only in Redis; without it every user counts as offline.
const nobodyThere: Ctx['presence'] = {
  of: async () => null,
  exchange: async () => ({ lastUpdateId: -1, cameOnline: false, own: null, users: new Map() }),
}

/** Runs actions on an organization from outside its workers, whether workers run or not. */
export async function withOrganization<T>(config: Config, log: Log, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (!config.databaseUrl) throw new Error('the address of the database is missing')
  const sql = openDatabase({ url: config.databaseUrl, socket: config.databaseSocket }, config.databaseSchema, 4)
  const renderThreads = new RenderThreads(log)
  const storage = await openStorage(config, log)
  const pictures = new PictureQueue(log)
  try {
    const directory = new Directory(sql, config.webPublicChannels)
    await directory.load()
    const publicUrl = config.publicUrl ?? ownUrl(config)
    return await work({
      config,
      log,
      clock: { now: () => Date.now() },
      sql,
      searching: sql,
      redis: noRedis,
      attempts: noAttempts,
      workLimits: new WorkLimits(),
      presence: nobodyThere,
      directory,
      realtime: unpublished,
      write: createWrite({ sql, realtime: unpublished, directory, jobs: forWorkers }, commandOrigin()),
      jobs: forWorkers,
      messageWriter: new MessageWriter(
        sql,
        [sql],
        () => {},
        error => log.warn(error, 'work after storing a message failed'),
      ),
      audiences: new Audiences(sql, directory),
      conversations: new Conversations(sql),
      knownTopics: new KnownTopics(),
      subscribers: new SubscriberCache(),
      activeChannels: new ActiveChannels(),
      channelLists: new ChannelLists(),
      jsonBuffers: new JsonBuffers(),
      channelIndex: new ChannelIndex(),
      channelTopics: new ChannelTopics(),
      encodedMessages: new EncodedMessages(directory),
      ownSubscriptions: new SharedQuestion(userIds => ownSubscriptions(sql, userIds)),
      newestReceived: new SharedQuestion(userIds => newestReceived(sql, userIds)),
      renderThreads,
      storage,
      pictures,
      external: openExternal(config),
      publicUrl,
      realmHost: new URL(publicUrl).hostname,
      startedAt: Date.now(),
    })
  } finally {
    await renderThreads.stop()
    pictures.stop()
    storage.close()
    await sql.end({ timeout: 5 })
  }
}
