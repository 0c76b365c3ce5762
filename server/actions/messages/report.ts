import { ApiError, badRequest } from '../../../shared/errors.js'
import { dmUrl, messageUrl } from '../../../shared/resources/hash-links.js'
import type { ReportType } from '../../../shared/resources/report-types.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findMessage } from '../../lookups/find-message.js'
import { realmSetting } from '../../policies/settings.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { RequestKey } from '../../store/messages/idempotency-keys.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import { plainMarkdown } from '../../text/quote.js'
import { type Report, reportText, reportTopic } from '../../text/report.js'
import { languageOfChannels } from '../notice-language.js'
import { silently } from './notice-mentions.js'
import { sendMessage } from './send.js'
import { notificationBot } from './system-bots.js'

interface GivenReport {
  readonly type: ReportType
  readonly description: string
  /** The key of the request, which the message to the moderators stores. */
  readonly key: RequestKey | undefined
}

/**
 * Reports a message to the moderators. If their channel is not private, the report omits the content of messages from private channels and
 * conversations. @throws {ApiError} BAD_REQUEST
 */
export async function reportMessage(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  { type, description, key }: GivenReport,
): Promise<void> {
  await ctx.directory.fresh()
  const channel = moderationChannel(ctx)
  const { message } = await findMessage(ctx, ctx.sql, actor, messageId)
  const report = reportOf(ctx, channel, actor.user.id, message)
  const language = languageOfChannels(ctx.directory)
  const content = reportText(language, { ...report, type, description })
  const sender = ctx.directory.users.get(message.sender_id)
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : reportTopic(language, sender?.full_name ?? '')
  const { id: senderId } = await notificationBot(ctx)
  try {
    const to = { channel: channel.id, topic }
    const ofRequest = key && { key: { ...key, answer: '{}' } }
    await sendMessage(ctx, { senderId, client: 'Internal', to, content, readBySender: true, ...ofRequest })
  } catch (error) {
    if (error instanceof ApiError) throw badRequest('The report could not be delivered.')
    throw error
  }
}

function moderationChannel({ directory }: Ctx): ChannelRow {
  const channel = directory.channels.get(realmSetting(directory, 'moderation_request_channel_id'))
  if (!channel || channel.is_archived) {
    throw badRequest('Moderation request channel must be specified to enable message reporting.')
  }
  return channel
}

function reportOf(
  ctx: Ctx,
  to: ChannelRow,
  reporterId: number,
  message: SeenMessage,
): Omit<Report, 'type' | 'description'> {
  const people = { reporter: person(ctx, reporterId), sender: person(ctx, message.sender_id) }
  const channel = ctx.directory.channels.get(message.channel_id ?? 0)
  if (!channel) {
    const userIds = message.user_ids ?? []
    const others = userIds.filter(id => id !== message.sender_id).map(id => person(ctx, id))
    return {
      ...people,
      place: { others },
      url: dmUrl(userIds, message.id),
      content: to.invite_only ? message.content : null,
    }
  }
  const isSecret = channel.invite_only && !to.invite_only && channel.id !== to.id
  const { id: stream_id } = channel
  const name = isSecret ? 'private' : channel.name
  const topic = isSecret ? '' : message.topic
  const shown = topic === '' ? realmSetting(ctx.directory, 'empty_topic_display_name') : topic
  return {
    ...people,
    place: { channel: isSecret ? undefined : plainMarkdown(`#${name} > ${shown}`) },
    url: messageUrl({ stream_id, name }, topic, message.id),
    content: isSecret ? null : message.content,
  }
}

/** A user's name, as a silent mention that notifies no user. A deactivated user cannot be mentioned. */
function person({ directory }: Ctx, id: number): string {
  const user = directory.users.get(id)
  return user?.is_active ? silently(user) : plainMarkdown(user?.full_name ?? '')
}
