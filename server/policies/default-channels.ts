import type { Directory } from '../store/directory.js'
import { guest } from './allow.js'

/** Ids of the channels to which new members are subscribed, ascending. */
export function defaultChannels(directory: Directory): number[] {
  const channels = [...directory.channels.values()].filter(channel => channel.is_default && !channel.is_archived)
  return channels.map(channel => channel.id).sort((a, b) => a - b)
}

/** Ids of the users who receive the list of default channels (all but guests), ascending. */
export function audienceOfDefaultChannels(directory: Directory): number[] {
  const users = [...directory.users.values()].filter(
    user => user.is_active && !user.is_system_bot && user.role !== guest,
  )
  return users.map(user => user.id).sort((a, b) => a - b)
}
