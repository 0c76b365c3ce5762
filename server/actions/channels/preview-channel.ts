import type { Directory } from '../../memory/directory.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { directoryChangesAfter } from '../../store/directory/directory-changes.js'
import type { Tx } from '../../store/driver/db.js'

/** The directory as of the end of this transaction, which wrote the channel, and possibly groups, with `version`. */
export async function previewChannel(
  tx: Tx,
  directory: Directory,
  channelId: number,
  version: number,
): Promise<{ after: Directory; channel: ChannelRow }> {
  const changed = await directoryChangesAfter(tx, version - 1)
  const after = directory.preview({ groups: changed.group, channels: changed.channel })
  const channel = after.channels.get(channelId)
  if (!channel) throw new Error('the channel that was written is not there')
  return { after, channel }
}
