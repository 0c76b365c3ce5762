import { ApiError } from '../../shared/errors.js'
import { botMessage as type } from '../job-types/outgoing-webhook.js'
import { jobKind } from './job-kind.js'

/** Sends what a bot says. What is refused is logged and left out: no caller waits for it. */
export const botMessage = jobKind(type, {
  guarantee: 'exactly once',
  atOnce: 25,
  seconds: 30,
  async run(ctx, { bot_id: senderId, to, content, client = 'OutgoingWebhookResponse', form }, run) {
    await ctx.directory.fresh()
    if (!ctx.directory.users.get(senderId)?.is_active) return
    const said = { senderId, client, to, content, readBySender: true }
    try {
      await run.send({ ...said, ...(form !== undefined && { form }) })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      ctx.log.warn(error, 'a message of a bot was not sent')
    }
  },
})
