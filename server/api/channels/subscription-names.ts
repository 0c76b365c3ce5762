import { z } from 'zod'
import type { SubscribeResult } from '../../actions/channels/subscribe.js'
import type { UnsubscribeResult } from '../../actions/channels/unsubscribe.js'

export const namesByUser = z.record(z.string(), z.array(z.string()))

/** The channels that this request subscribed each user to, and those that the user was already subscribed to. */
export function namesOf({ users, channels, added }: SubscribeResult) {
  const isNew = new Set(added.map(row => `${row.user_id} ${row.channel_id}`))
  const subscribed: Record<string, string[]> = {}
  const already_subscribed: Record<string, string[]> = {}
  for (const user of users) {
    for (const channel of channels) {
      const names = isNew.has(`${user.id} ${channel.id}`) ? subscribed : already_subscribed
      names[user.id] ??= []
      names[user.id]?.push(channel.name)
    }
  }
  return { subscribed, already_subscribed }
}

/** The channels that users left, and those to which some of them were not subscribed. */
export function leftNamesOf({ users, channels, removed }: Omit<UnsubscribeResult, 'read'>) {
  const left = (id: number) => removed.filter(row => row.channel_id === id).length
  return {
    removed: channels.filter(channel => left(channel.id) > 0).map(channel => channel.name),
    not_removed: channels.filter(channel => left(channel.id) < users.length).map(channel => channel.name),
  }
}
