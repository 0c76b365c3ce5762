import { budgets } from '../config/budgets.js'
import type { WorkerCtx } from '../ctx.js'
import { ExternalFailure } from '../external/external-failure.js'
import { type BotMessage, botMessage, outgoingWebhook as type } from '../job-types/outgoing-webhook.js'
import { isCalled } from '../policies/bots.js'
import { type BotCall, genericCall, slackCall } from '../presenters/called-bot.js'
import { type AnswerMessage, answerMessages } from '../store/messages/message-rows.js'
import { truncate } from '../text/content.js'
import { quoted } from '../text/quote.js'
import { readBotAnswer } from '../webhooks/bot-answer.js'
import { type BotAnswer, BotServers } from '../webhooks/bot-servers.js'
import { userAgentOf } from '../webhooks/user-agent.js'
import { type JobKind, jobKind } from './job-kind.js'

const mostAttempts = 4
const mostShown = 1_000

/** What a bot says, and what its owner learns. */
interface Outcome {
  readonly said?: { readonly content: string; readonly form?: string }
  readonly forOwner?: string
}

/**
 * Sends a message to the server of a bot, and has the bot say what the server answers (docs/protocol/bots.md#outgoing-webhooks). The server may get
 * a message twice, but the bot answers it once.
 */
export function outgoingWebhookKind(): JobKind {
  let servers: BotServers | undefined
  return jobKind(type, {
    guarantee: 'exactly once',
    atOnce: 16,
    seconds: 30,
    attempts: mostAttempts,
    async run(ctx, { bot_id, message_id, trigger }, run) {
      servers ??= new BotServers(ctx.config.webhookPrivateOrigins)
      await ctx.directory.fresh()
      const bot = ctx.directory.users.get(bot_id)
      const message = await readMessage(ctx, bot_id, message_id)
      const place = message && placeOf(ctx, message)
      if (!bot?.service || !isCalled(bot) || !message || !place) return
      const call: BotCall = { bot, service: bot.service, message, place, trigger }
      let outcome: Outcome
      try {
        outcome = await outcomeOf(ctx, servers, call, run.signal)
      } catch (error) {
        if (!(error instanceof ExternalFailure) || run.claim.attempts < mostAttempts) throw error
        outcome = failure('Bot is unavailable', error.message)
      }
      await run.write(async (_tx, _emit, { after }) => {
        for (const one of messagesOf(call, outcome)) after(botMessage, one)
      })
    },
  })
}

async function readMessage(ctx: WorkerCtx, userId: number, id: number): Promise<AnswerMessage | undefined> {
  const room = { near: 0, bytes: budgets.answerBytes.most, edits: 'none', texts: 'both' } as const
  const [message] = await answerMessages(ctx.sql, userId, [id], room)
  return message
}

function placeOf({ directory }: WorkerCtx, { channel_id, user_ids }: AnswerMessage): BotCall['place'] | undefined {
  if (channel_id === null) return { userIds: user_ids ?? [] }
  const channel = directory.channels.get(channel_id)
  return channel && { channel }
}

const failure = (reason: string, details: string): Outcome => ({
  said: { content: `Failure! ${reason}` },
  forOwner: `${reason}\n\n${quoted(truncate(details, mostShown, '…'))}`,
})

/** @throws {ExternalFailure} there was no answer */
async function outcomeOf(ctx: WorkerCtx, servers: BotServers, call: BotCall, signal: AbortSignal): Promise<Outcome> {
  const { service, place } = call
  const isSlack = service.interface === 2
  // Slack's form has no place for a direct message.
  if (isSlack && !('channel' in place))
    return { said: { content: 'Failure! Slack-format bots take no direct messages.' } }
  const answer = await servers.call(
    {
      address: service.base_url,
      type: isSlack ? 'application/x-www-form-urlencoded' : 'application/json',
      body: isSlack ? String(slackCall(ctx, call)) : JSON.stringify(genericCall(ctx, call)),
      userAgent: userAgentOf(ctx.config, 'OutgoingWebhook'),
    },
    signal,
  )
  return outcomeOfAnswer(answer, service.interface)
}

function outcomeOfAnswer({ status, body }: BotAnswer, form: 1 | 2): Outcome {
  if (status < 200 || status >= 300) return failure(`The server of the bot answered with status ${status}.`, body)
  const said = readBotAnswer(body, form)
  if (!said) return failure('The answer of the bot’s server is not valid.', body)
  return said.content.trim() === '' ? {} : { said }
}

function messagesOf({ bot, message, place }: BotCall, { said, forOwner }: Outcome): BotMessage[] {
  const to = 'channel' in place ? { channel: place.channel.id, topic: message.topic } : { people: [...place.userIds] }
  const link = `[A message](/#narrow/near/${message.id}) could not be answered.`
  return [
    ...(said ? [{ bot_id: bot.id, to, ...said }] : []),
    ...(forOwner !== undefined && bot.bot_owner_id !== null
      ? [{ bot_id: bot.id, to: { people: [bot.bot_owner_id] }, content: `${link} ${forOwner}` }]
      : []),
  ]
}
