import type { WorkerCtx } from '../ctx.js'
import type { OutgoingWebhook } from '../job-types/outgoing-webhook.js'
import type { AnswerMessage } from '../store/messages/message-rows.js'
import type { BotService, UserRow } from '../store/users/users.js'
import { apiEmail } from './addresses.js'
import { wireReaction } from './message-answers.js'
import { type MessagePlace, neutralMessage } from './message-object.js'

/** A bot with a message for its server. */
export interface BotCall {
  readonly bot: UserRow
  readonly service: BotService
  readonly message: AnswerMessage
  readonly place: MessagePlace
  readonly trigger: OutgoingWebhook['trigger']
}

/** The JSON that the server of a bot gets. */
export function genericCall(ctx: WorkerCtx, { bot, service, message, place, trigger }: BotCall): object {
  const {
    is_gravatar: _,
    empty_topic_display_name: __,
    ...shown
  } = neutralMessage(ctx, message, {
    place,
    topicLinks: ctx.directory.linkifiers.topicLinks(message.topic),
    reactions: (message.reactions ?? []).map(({ id: _, ...reaction }) => wireReaction(ctx, reaction)),
    submessages: message.submessages ?? [],
    knows: () => true,
  })
  return {
    bot_email: apiEmail(bot, ctx.realmHost),
    bot_full_name: bot.full_name,
    data: message.content,
    message: { ...shown, content_type: 'text/x-markdown' },
    token: service.token,
    trigger,
  }
}

/** The form that the server of a bot gets which was made for Slack; only for messages in channels. */
export function slackCall(ctx: WorkerCtx, { bot, service, message, place, trigger }: BotCall): URLSearchParams {
  const { id = 0, name = '' } = 'channel' in place ? place.channel : {}
  const time = String(Math.floor(message.date_sent.getTime() / 1000))
  return new URLSearchParams({
    token: service.token,
    team_id: `T${organizationId}`,
    team_domain: new URL(ctx.publicUrl).host,
    channel_id: `C${id}`,
    channel_name: name,
    thread_ts: time,
    timestamp: time,
    user_id: `U${message.sender_id}`,
    user_name: ctx.directory.users.get(message.sender_id)?.full_name ?? '',
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  })
}

// A server has one organization.
export const organizationId = 1
