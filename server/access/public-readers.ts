import type { ChannelRow } from '../store/channels.js'
import type { Directory } from '../store/directory.js'
import { guest } from './allow.js'
import { mayReadChannel } from './channel-permissions.js'

/**
 * Ids, ascending, of users who receive messages of a public channel without a subscription, in queues registered with all_public_streams:
 * users who have ever registered such a queue, are not guests now and may read the channel.
 */
export function publicReaders(directory: Directory, channel: ChannelRow): number[] {
  if (channel.invite_only) return []
  const readers = directory.derived(candidates).flatMap(id => directory.users.get(id) ?? [])
  return readers.filter(user => mayReadChannel(directory, user, channel, false)).map(user => user.id)
}

function candidates(directory: Directory): number[] {
  const users = [...directory.users.values()].filter(user => user.reads_public_channels && user.role !== guest)
  return users.map(user => user.id).sort((a, b) => a - b)
}
