import { ApiError, badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { ScheduledContent } from '../../store/personal/scheduled-messages.js'
import { examineMessage } from '../messages/prepare.js'

/** The destination as a client names it. */
export interface GivenPlace {
  readonly type: 'direct' | 'channel'
  /** Of `channel` its id, of `direct` the ids of the receivers. */
  readonly to: number | readonly number[]
  /** Only of `channel`. */
  readonly topic: string
}

/** A message as a client schedules it. */
export interface GivenScheduled {
  readonly place: GivenPlace
  readonly content: string
  /** The client program. */
  readonly client: string
}

/** The message as it is stored, if it could be sent now. @throws {ApiError} as `sendMessage` */
export async function checkedScheduled(
  ctx: Ctx,
  { user }: Actor,
  { place, content, client }: GivenScheduled,
): Promise<Omit<ScheduledContent, 'due'>> {
  const to = toOf(place)
  const sending = { senderId: user.id, to, content }
  const { text, destination, rendered } = await examineMessage(ctx, sending).catch(async error => {
    // The refusal may rest on what the worker remembers.
    if (!(error instanceof ApiError)) throw error
    await ctx.directory.fresh()
    if ('channel' in to) ctx.memory.subscribers.forget(to.channel)
    return examineMessage(ctx, sending)
  })
  return {
    channel_id: destination.channel?.id ?? null,
    topic: destination.topic,
    recipients: 'people' in to ? others(to.people, user.id) : [],
    content: text,
    rendered_content: rendered.html,
    file_ids: rendered.attachmentIds,
    client,
  }
}

type ByIds = { readonly channel: number; readonly topic: string } | { readonly people: readonly number[] }

/** @throws {ApiError} BAD_REQUEST */
function toOf({ type, to, topic }: GivenPlace): ByIds {
  if (type === 'channel') {
    if (typeof to !== 'number') throw badRequest('A message to a channel needs one channel ID in `to`.')
    return { channel: to, topic }
  }
  if (typeof to === 'number') throw badRequest('A direct message needs a list of user IDs in `to`.')
  return { people: to }
}

/** The receivers without the sender, unless it is the only one. */
function others(people: readonly number[], senderId: number): readonly number[] {
  const all = [...new Set(people)]
  const rest = all.filter(id => id !== senderId)
  return rest.length > 0 ? rest : all
}
