import { streamUpdate } from '../../../shared/events/stream.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { correctFirstMessage } from '../../store/messages/message-edits.js'
import { audienceOfChannelMetadata } from '../announce/channel-audiences.js'

/**
 * Called after messages were moved into a channel, out of it, or deleted: emits its new first message id, if that changed
 * (docs/protocol/events.md#deleting-messages).
 */
export async function notifyFirstMessage(ctx: Ctx, tx: Tx, emit: Emit, channelId: number): Promise<void> {
  const channel = ctx.directory.channels.get(channelId)
  const corrected = await correctFirstMessage(tx, channelId)
  if (!channel || !corrected) return
  const audience = await audienceOfChannelMetadata(tx, ctx.directory, channel)
  emit(
    streamUpdate,
    { stream_id: channelId, name: channel.name, property: 'first_message_id', value: corrected.first },
    audience,
  )
}
