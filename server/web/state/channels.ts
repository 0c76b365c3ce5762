import type { Channel } from '../../../shared/events/client-state.js'
import type { ChatState } from './chat-state.js'

/** A channel that the user knows of, subscribed to it or not. */
export const channelOf = (state: ChatState, id: number): Channel | undefined =>
  state.subscriptions[id] ?? state.unsubscribed[id] ?? state.never_subscribed[id]

/** All channels that the user knows of and that are not archived. */
export const openChannels = (state: ChatState): Channel[] =>
  [state.subscriptions, state.unsubscribed, state.never_subscribed].flatMap(channels =>
    Object.values<Channel>(channels).filter(channel => !channel.is_archived),
  )

/** Channels that the sidebar shows together; `folderId` null: those above the folders. */
interface ChannelGroup {
  readonly folderId: number | null
  readonly channels: number[]
}

/**
 * The user's channels: first pinned ones and those without a folder, then each folder in the organization's order. Within a group pinned
 * channels come first, in the order that the user gave them, and muted ones last; otherwise by name.
 */
export function channelGroups(state: ChatState): ChannelGroup[] {
  const places = new Map(state.pinOrder.map((id, place) => [id, place]))
  const rank = (id: number) => {
    const own = state.subscriptions[id]
    if (own?.pin_to_top) return places.get(id) ?? places.size
    return places.size + (own?.is_muted ? 2 : 1)
  }
  const name = (id: number) => channelOf(state, id)?.name.toLowerCase() ?? ''
  const groups = new Map<number | null, number[]>([[null, []]])
  for (const folder of state.channel_folders) groups.set(folder.id, [])
  const groupOf = (id: number) => {
    const own = state.subscriptions[id]
    return (own?.pin_to_top ? undefined : groups.get(own?.folder_id ?? null)) ?? groups.get(null)
  }
  const all = Object.keys(state.subscriptions)
    .map(Number)
    .filter(id => channelOf(state, id)?.is_archived === false)
    .sort((a, b) => rank(a) - rank(b) || name(a).localeCompare(name(b)))
  for (const id of all) groupOf(id)?.push(id)
  return [...groups]
    .map(([folderId, channels]) => ({ folderId, channels }))
    .filter(({ channels }) => channels.length > 0)
}

/** The user's channels in the order of the sidebar. */
export const channelsInOrder = (state: ChatState): number[] => channelGroups(state).flatMap(group => group.channels)
