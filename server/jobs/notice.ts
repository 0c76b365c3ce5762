import { ApiError } from '../../shared/errors.js'
import { resolutionUnreadOf } from '../actions/messages/resolution-readers.js'
import { notificationBot, welcomeBot } from '../actions/messages/system-bots.js'
import { SharedQuestion } from '../concurrency/shared-question.js'
import type { Ctx } from '../ctx.js'
import { type Notice, notice as type } from '../job-types/notice.js'
import { type JobKind, jobKind } from './job-kind.js'

/** Sends a message of one of the server's bots. A notice that is refused, for example because its channel is gone, is logged and left out. */
export function noticeKind(): JobKind {
  let pairs: SharedQuestion<number, undefined> | undefined
  /** One statement for the conversations of all notices of this moment. */
  const beginConversation = async (ctx: Ctx, botId: number, { to }: Notice) => {
    if ('channel' in to) return
    pairs ??= new SharedQuestion(async userIds => {
      await ctx.memory.conversations.makePairs(botId, userIds)
      return new Map()
    })
    for (const id of to.people) await pairs.of(id)
  }
  return jobKind(type, {
    guarantee: 'exactly once',
    atOnce: 25,
    seconds: 30,
    async run(ctx, notice, run) {
      const { to, content, isOfResolution, isWelcome = false, isAnswer = false } = notice
      const { id: senderId } = await (isWelcome ? welcomeBot(ctx) : notificationBot(ctx))
      await beginConversation(ctx, senderId, notice)
      const unread = isOfResolution && 'channel' in to ? { readByAllBut: await resolutionUnreadOf(ctx, to) } : {}
      try {
        await run.send({
          senderId,
          client: 'Internal',
          to,
          content,
          readBySender: true,
          isStarred: isWelcome && !isAnswer,
          ...unread,
        })
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        ctx.log.warn(error, 'a notice was not sent')
      }
    },
  })
}
