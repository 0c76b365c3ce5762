import type { Directory } from '../../memory/directory.js'
import { type ChannelRow, channelsChangedAfter } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { groupsChangedAfter } from '../../store/groups/groups.js'

/** The directory as of the end of this transaction, which wrote the channel, and possibly groups, with `version`. */
export async function previewChannel(
  tx: Tx,
  directory: Directory,
  channelId: number,
  version: number,
): Promise<{ after: Directory; channel: ChannelRow }> {
  const [groups, channels] = await Promise.all([
    groupsChangedAfter(tx, version - 1),
    channelsChangedAfter(tx, version - 1),
  ])
  const after = directory.preview({ groups, channels })
  const channel = after.channels.get(channelId)
  if (!channel) throw new Error('the channel that was written is not there')
  return { after, channel }
}
