import type { Channel, ChatState, Subscription, WireEvent } from './chat-state.js'
import { removeUnread } from './unread.js'

type Listed = Channel & Subscription

/** The fields of a channel that the page uses; the state does not keep the others. */
export const channelFrom = (given: Channel): Channel => ({
  stream_id: given.stream_id,
  name: given.name,
  description: given.description,
  invite_only: given.invite_only,
  is_web_public: given.is_web_public,
  is_archived: given.is_archived,
  subscriber_count: given.subscriber_count,
})

export const subscriptionFrom = (given: Subscription): Subscription => ({
  color: given.color,
  is_muted: given.is_muted,
  pin_to_top: given.pin_to_top,
})

/** `subscription`: the user's channels, the settings for them, and their numbers of subscribers. */
export function subscriptionChanged(state: ChatState, event: WireEvent): void {
  switch (event.op) {
    case 'add':
      for (const one of event.subscriptions as Listed[]) {
        state.channels[one.stream_id] = channelFrom(one)
        state.subscriptions[one.stream_id] = subscriptionFrom(one)
      }
      break
    case 'remove':
      for (const { stream_id } of event.subscriptions as { stream_id: number }[]) left(state, stream_id)
      break
    case 'update':
      changeOwn(state, event.stream_id as number, event.property as string, event.value)
      break
    case 'peer_add':
    case 'peer_remove':
      countPeers(
        state,
        event.stream_ids as number[],
        (event.user_ids as number[]).length * (event.op === 'peer_add' ? 1 : -1),
      )
      break
  }
}

function left(state: ChatState, channelId: number): void {
  delete state.subscriptions[channelId]
  const channel = state.channels[channelId]
  if (channel) channel.subscriber_count -= 1
  const topics = Object.values(state.unread.channels[channelId] ?? {})
  removeUnread(state, new Set(topics.flatMap(topic => topic.ids)))
}

function changeOwn(state: ChatState, channelId: number, property: string, value: unknown): void {
  const own = state.subscriptions[channelId]
  if (!own) return
  if (property === 'color') own.color = value as string
  if (property === 'is_muted') own.is_muted = value as boolean
  if (property === 'pin_to_top') own.pin_to_top = value as boolean
}

function countPeers(state: ChatState, channelIds: readonly number[], change: number): void {
  for (const id of channelIds) {
    const channel = state.channels[id]
    if (channel) channel.subscriber_count += change
  }
}

/** `stream`: channels that the user may know of now, may no longer know of, or that changed. */
export function channelChanged(state: ChatState, event: WireEvent): void {
  switch (event.op) {
    case 'create':
      for (const one of event.streams as Channel[]) state.channels[one.stream_id] = channelFrom(one)
      break
    case 'delete':
      for (const id of event.stream_ids as number[]) {
        left(state, id)
        delete state.channels[id]
        delete state.topics[id]
      }
      break
    case 'update': {
      const channel = state.channels[event.stream_id as number]
      const property = event.property as keyof Channel
      if (channel && Object.hasOwn(channel, property)) Object.assign(channel, { [property]: event.value })
      if (channel && typeof event.is_web_public === 'boolean') channel.is_web_public = event.is_web_public
      break
    }
  }
}
