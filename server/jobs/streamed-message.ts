import { endSilent } from '../actions/messages/end-growth.js'
import { longestGrowthMs, silenceMs } from '../actions/messages/streamed-message.js'
import { streamedMessageKey, streamedMessage as type } from '../job-types/streamed-message.js'
import { jobKind } from './job-kind.js'

/** Ends a streamed message whose author is silent, or that its author or a reader has ended in a worker that died; otherwise looks again later. */
export const streamedMessage = jobKind(type, {
  guarantee: 'exactly once',
  atOnce: 4,
  async run(ctx, payload, run) {
    const { message_id, begun } = payload
    const sign = await ctx.streamedTexts.lastSign(message_id)
    const now = ctx.clock.now()
    const until = sign && !sign.hasEnded ? Math.min(sign.at + silenceMs, begun + longestGrowthMs) : now
    if (until <= now) return endSilent(ctx, message_id, work => run.write(work))
    const later = { key: streamedMessageKey(message_id), at: new Date(until) }
    await run.write(async (_, __, { after }) => after(type, payload, later))
  },
})
