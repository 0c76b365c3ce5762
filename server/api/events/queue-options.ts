import { type Capability, capabilityNames, type View } from '../../../shared/capabilities.js'
import { badRequest } from '../../../shared/errors.js'
import { eventDefs } from '../../../shared/events/index.js'
import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import { badNarrow } from '../../narrow/grammar/narrow-param.js'
import { NarrowError, parseQueueNarrow, type QueueNarrow } from '../../narrow/grammar/queue-narrow.js'
import { seesPublicChannels } from '../../policies/channel-permissions.js'
import type { QueueOptions } from '../../realtime/realtime.js'
import type { UserRow } from '../../store/users/users.js'
import type { RegisterParams } from './register-params.js'

/** The view that the register parameters select. */
export function viewOf(params: RegisterParams, isSpectator: boolean): View {
  const declared: Partial<Record<Capability, boolean>> = params.client_capabilities ?? {}
  const capabilities = Object.fromEntries(capabilityNames.map(name => [name, declared[name] ?? false]))
  return {
    ...(capabilities as Record<Capability, boolean>),
    apply_markdown: params.apply_markdown,
    client_gravatar: params.client_gravatar ?? !isSpectator,
    slim_presence: params.slim_presence,
    include_subscribers: params.include_subscribers,
    names_user_topic: params.event_types?.includes('user_topic') ?? false,
  }
}

/** The options of the queue that this request registers. @throws {ApiError} BAD_REQUEST, BAD_NARROW */
export function queueOptions(ctx: Ctx, user: UserRow, params: RegisterParams, view: View): QueueOptions {
  if (params.all_public_streams && !seesPublicChannels(user)) throw badRequest('Not allowed for guest users')
  return {
    userId: user.id,
    view,
    eventTypes: params.event_types ? knownTypes(params.event_types) : null,
    narrow: narrowOf(ctx, user, params.narrow ?? null),
    allPublicStreams: params.all_public_streams ?? (user.default_all_public_streams && seesPublicChannels(user)),
    idleSeconds: idleSeconds(ctx, params.idle_queue_timeout),
  }
}

const eventTypes: ReadonlySet<string> = new Set([...eventDefs.values()].map(def => def.type))

/** Unknown types are not stored with the queue: clients may name types of their own. */
const knownTypes = (asked: readonly string[]): string[] => [...new Set(asked)].filter(type => eventTypes.has(type))

/** 0 means the default (docs/protocol/register.md#idle-timeout). */
function idleSeconds({ config }: Ctx, asked: number | 'mobile' | undefined): number {
  if (asked === 'mobile') return limits.queue_idle_timeout_mobile_secs
  return Math.min(asked || config.queueIdleSeconds, limits.queue_idle_timeout_max_secs)
}

function narrowOf({ directory }: Ctx, user: UserRow, given: RegisterParams['narrow'] | null): QueueNarrow | null {
  const ofAccount = directory.channels.get(user.default_events_register_stream_id ?? -1)
  const pairs = given ?? (ofAccount ? [['channel', ofAccount.name]] : [])
  if (pairs.length === 0) return null
  try {
    return parseQueueNarrow(pairs, {
      channelByName(name) {
        const channel = directory.channelNamed(name)
        return channel && { stream_id: channel.id }
      },
    })
  } catch (error) {
    throw error instanceof NarrowError ? badNarrow(error) : error
  }
}
