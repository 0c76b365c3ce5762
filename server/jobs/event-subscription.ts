import { type Capability, capabilityNames, type View } from '../../shared/capabilities.js'
import { ApiError } from '../../shared/errors.js'
import { languageOfReader } from '../actions/notice-language.js'
import type { WorkerCtx } from '../ctx.js'
import { retryAfterMs } from '../external/retry-after.js'
import { eventSubscriptionKey, eventSubscription as type } from '../job-types/event-subscription.js'
import { addNotices } from '../job-types/notice.js'
import type { QueueOptions } from '../realtime/realtime.js'
import {
  type EventSubscription,
  type Progress,
  readSubscription,
  writeProgress,
} from '../store/personal/event-subscriptions.js'
import type { UserRow } from '../store/users/users.js'
import type { InLanguages } from '../text/page-language.js'
import { plainMarkdown } from '../text/quote.js'
import { BotServers } from '../webhooks/bot-servers.js'
import { deliverEvents, type EventReceiver, type OutgoingEvent, type Refusal } from '../webhooks/deliver-events.js'
import { userAgentOf } from '../webhooks/user-agent.js'
import { type JobKind, jobKind } from './job-kind.js'
import type { JobRun } from './job-run.js'

// A delivery goes on in another job then, of any worker. Ms.
const longestMs = 300_000
// Events between two writes of the position: so many are sent again after the death of a worker.
const eventsAtOnce = 100
// In s; the queue ends long before if its job ends.
const idleSeconds = 120
// In ms: from the first attempt that fails until the subscription is turned off.
const givenUpAfterMs = 3 * 86_400_000
const longestPauseMs = 3_600_000

// All that the server knows of an event, and the source of a message, as programs want it.
const view: View = {
  ...(Object.fromEntries(capabilityNames.map(name => [name, true])) as Record<Capability, boolean>),
  apply_markdown: false,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: 'false',
  names_user_topic: true,
}

const inLanguages: InLanguages<(bot: string, url: string, why: string) => string> = {
  en: (bot, url, why) =>
    `No more events of your bot ${bot} are sent to ${url}, which does not take them: ${why}. \`update_event_subscription\` turns them on again.`,
  de: (bot, url, why) =>
    `Es werden keine Ereignisse deines Bots ${bot} mehr an ${url} gesendet, weil sie dort nicht angenommen werden: ${why}. \`update_event_subscription\` schaltet sie wieder ein.`,
}

/**
 * Sends the events of a bot to an address (docs/protocol/event-subscriptions.md). A run takes a queue that begins after the last event
 * that has arrived, so nothing but the position has to be kept. The runs follow one another exactly once; an event may come twice, with the same id.
 */
export function eventSubscriptionKind(): JobKind {
  let servers: BotServers | undefined
  return jobKind(type, {
    guarantee: 'exactly once',
    atOnce: 256,
    seconds: (longestMs / 1000) * 2,
    attempts: Number.MAX_SAFE_INTEGER,
    async run(ctx, { id, version, hadNoQueue = false }, run) {
      servers ??= new BotServers(ctx.config.webhookPrivateOrigins)
      const subscription = await readSubscription(ctx.sql, id)
      if (subscription?.version !== version || !subscription.is_active) return
      await ctx.directory.fresh()
      const bot = ctx.directory.users.get(subscription.user_id)
      if (!bot?.is_active) {
        await writeProgress(ctx.sql, subscription, { is_active: false, queue_id: null })
        return
      }
      await new Delivery(ctx, run, { servers, bot, subscription, hadNoQueue }).run()
    },
  })
}

class Delivery {
  private readonly servers: BotServers
  private readonly bot: UserRow
  private readonly subscription: EventSubscription
  private readonly receiver: EventReceiver
  private readonly hadNoQueue: boolean
  private position: number
  private failing: Pick<EventSubscription, 'failing_since' | 'failures' | 'failure'>

  constructor(
    private readonly ctx: WorkerCtx,
    private readonly job: JobRun,
    given: {
      readonly servers: BotServers
      readonly bot: UserRow
      readonly subscription: EventSubscription
      readonly hadNoQueue: boolean
    },
  ) {
    this.servers = given.servers
    this.bot = given.bot
    this.subscription = given.subscription
    this.hadNoQueue = given.hadNoQueue
    const { id, url, secret, position } = given.subscription
    const userAgent = userAgentOf(ctx.config, 'Events')
    this.receiver = { url, secret, userAgent, prefix: `${ctx.directory.organization.uuid}-${id}-` }
    this.position = position
    this.failing = given.subscription
  }

  /** Delivers until the run has taken long, the worker drains, the bot changes its subscription, or an event is refused. */
  async run(): Promise<void> {
    const { realtime } = this.ctx
    if (!(await realtime.isInFeed(this.position)) && !(await this.skipLost())) return
    const queueId = await realtime.registerAfter(this.options(), this.position)
    try {
      await this.deliverFrom(queueId)
    } finally {
      await realtime.drop(queueId, this.bot.id).catch(unlessGone)
    }
  }

  private async deliverFrom(queueId: string): Promise<void> {
    const begin = performance.now()
    let events = await this.next(queueId, -1, { dontBlock: true })
    if (events === 'gone') return this.goOnWithout()
    // Not earlier: from now on a change of the subscription ends the queue, and so the wait.
    if (!(await this.write({ queue_id: queueId }))) return
    for (let last = -1; events !== 'gone'; ) {
      last = events.at(-1)?.id ?? last
      if (!(await this.send(events.filter(one => one.id > this.position && one.type !== 'heartbeat')))) return
      if (performance.now() - begin > longestMs || this.job.signal.aborted) break
      events = await this.next(queueId, last, { dontBlock: false })
    }
    await this.goOn()
  }

  /**
   * The queue has ended before it gave an event: the bot was changed in this moment, or the feed has lost events meanwhile, or more of them
   * wait than a queue holds. Another try distinguishes these.
   */
  private async goOnWithout(): Promise<void> {
    if (!this.hadNoQueue) await this.goOn({ hadNoQueue: true })
    else if ((await this.write({ queue_id: null })) && (await this.skipLost())) await this.goOn()
  }

  private async next(
    queueId: string,
    last: number,
    { dontBlock }: { readonly dontBlock: boolean },
  ): Promise<readonly QueuedEvent[] | 'gone'> {
    const { realtime } = this.ctx
    try {
      const { events } = await realtime.poll(queueId, this.bot.id, last, { dontBlock, signal: this.job.signal })
      return events.map(text => JSON.parse(text) as QueuedEvent)
    } catch (error) {
      unlessGone(error)
      return 'gone'
    }
  }

  /** False: the run has ended with it. */
  private async send(events: readonly QueuedEvent[]): Promise<boolean> {
    for (let at = 0; at < events.length && !this.job.signal.aborted; at += eventsAtOnce) {
      const some = events.slice(at, at + eventsAtOnce).map(outgoing)
      const { upto, refusal } = await deliverEvents(this.servers, this.receiver, some, this.job.signal)
      if (upto !== undefined) this.arrived(upto)
      if (refusal) {
        await this.pause(refusal)
        return false
      }
      if (upto !== undefined && !(await this.write({ ...working, position: upto }))) return false
    }
    return true
  }

  /** Tells the receiver that events are missing, and goes on with later ones. False: the run has ended. */
  private async skipLost(): Promise<boolean> {
    const position = this.ctx.realtime.stats().feedId
    const body = JSON.stringify({ type: 'events_lost', timestamp: timeOf(position), data: { after: this.position } })
    const { upto, refusal } = await deliverEvents(
      this.servers,
      this.receiver,
      [{ id: position, body }],
      this.job.signal,
    )
    if (refusal) {
      await this.pause(refusal)
      return false
    }
    if (upto === undefined) return true
    this.arrived(position)
    return this.write({ ...working, position })
  }

  /** All events up to this one have arrived, so a failure that follows is the first. */
  private arrived(upto: number): void {
    this.position = upto
    this.failing = working
  }

  /** The next attempt comes later; none if the receiver is gone, or has not answered for days. */
  private async pause({ why, isGone, retryAfter }: Refusal): Promise<void> {
    const now = this.ctx.clock.now()
    const failures = this.failing.failures + 1
    const since = this.failing.failing_since ?? new Date(now)
    const isGivenUp = isGone || now - since.getTime() >= givenUpAfterMs
    const pauseMs = Math.max(
      Math.min(longestPauseMs, 1000 * 2 ** Math.min(failures - 1, 12)),
      retryAfterMs(retryAfter, now) ?? 0,
    )
    await this.end(
      { position: this.position, failing_since: since, failures, failure: why, is_active: !isGivenUp },
      isGivenUp ? { because: why } : { at: new Date(now + pauseMs) },
    )
  }

  private goOn(note: { readonly hadNoQueue?: true } = {}): Promise<void> {
    return this.end({ position: this.position }, { at: new Date(this.ctx.clock.now()), ...note })
  }

  /** Ends the job, with what follows, unless the bot has changed its subscription: another job follows then. */
  private end(progress: Progress, then: Next | { readonly because: string }): Promise<void> {
    const { id, version, url } = this.subscription
    return this.job.write(async (tx, _, { after }) => {
      if (!(await writeProgress(tx, this.subscription, { ...progress, queue_id: null }))) return
      if ('at' in then) {
        const { at, ...note } = then
        after(type, { id, version, ...note }, { key: eventSubscriptionKey(id), at })
      } else if (this.bot.bot_owner_id !== null) {
        const owner = this.ctx.directory.users.get(this.bot.bot_owner_id)
        const content = inLanguages[languageOfReader(this.ctx.directory, owner)](
          plainMarkdown(this.bot.full_name),
          plainMarkdown(url),
          plainMarkdown(then.because),
        )
        addNotices(after, [{ to: { people: [this.bot.bot_owner_id] }, content }])
      }
    })
  }

  /** False: the bot has changed its subscription meanwhile, and nothing was written. */
  private write(progress: Progress): Promise<boolean> {
    return writeProgress(this.ctx.sql, this.subscription, progress)
  }

  private options(): QueueOptions {
    return {
      userId: this.bot.id,
      view,
      eventTypes: this.subscription.event_types,
      narrow: null,
      allPublicStreams: false,
      idleSeconds,
    }
  }
}

/** When the next job runs, and what it is to know. */
interface Next {
  readonly at: Date
  readonly hadNoQueue?: true
}

const working = { failing_since: null, failures: 0, failure: null } as const

interface QueuedEvent {
  readonly id: number
  readonly type: string
}

const outgoing = (data: QueuedEvent): OutgoingEvent => ({
  id: data.id,
  body: JSON.stringify({ type: data.type, timestamp: timeOf(data.id), data }),
})

/** Ids of events are microseconds. */
const timeOf = (id: number): string => new Date(Math.floor(id / 1000)).toISOString()

/** The queue has ended, perhaps because the bot was deactivated or got another key. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || !/^(?:BAD_EVENT_QUEUE_ID|UNAUTHORIZED)$/.test(error.code)) throw error
}
