import type { Channel } from '../../../shared/events/client-state.js'
import type { ChatState } from './chat-state.js'
import { arrangementOf, type Section, sectionsInOrder } from './sections.js'

/** A channel that the user knows of, subscribed to it or not. */
export const channelOf = (state: ChatState, id: number): Channel | undefined =>
  state.subscriptions[id] ?? state.unsubscribed[id] ?? state.never_subscribed[id]

/** All channels that the user knows of and that are not archived. */
export const openChannels = (state: ChatState): Channel[] =>
  [state.subscriptions, state.unsubscribed, state.never_subscribed].flatMap(channels =>
    Object.values<Channel>(channels).filter(channel => !channel.is_archived),
  )

/** Channels that the sidebar shows together. */
interface ChannelGroup {
  readonly section: Section
  readonly channels: number[]
}

/**
 * The user's channels by the sections of the sidebar, in the user's order; no section without channels. Pinned ones are in the order that the user gave
 * them, others by name and muted ones last.
 */
export function channelGroups(state: ChatState): ChannelGroup[] {
  const places = new Map(arrangementOf(state).pinned_channels.map((id, place) => [id, place]))
  const groups = new Map(sectionsInOrder(state).map(section => [section, [] as number[]]))
  const known = Object.values(state.subscriptions)
    .filter(own => !own.is_archived)
    .map(own => ({
      id: own.stream_id,
      section: sectionOf(state, own.stream_id),
      rank: own.pin_to_top ? (places.get(own.stream_id) ?? places.size) : own.is_muted ? 1 : 0,
      name: own.name.toLowerCase(),
    }))
    .sort((a, b) => a.rank - b.rank || byName.compare(a.name, b.name))
  for (const { id, section } of known) groups.get(section)?.push(id)
  return [...groups].map(([section, channels]) => ({ section, channels })).filter(({ channels }) => channels.length > 0)
}

// Much faster than localeCompare for a thousand names.
const byName = new Intl.Collator()

/** Where the sidebar shows a channel of the user. A folder that is not there, or not shown, is none. */
export function sectionOf(state: ChatState, id: number): Section {
  const own = state.subscriptions[id]
  if (own?.pin_to_top) return 'pinned'
  return folderSection(state, own?.folder_id ?? null)
}

/** The section of the channels that are in this folder and not pinned. */
export function folderSection(state: ChatState, folderId: number | null): Section {
  const isShown = state.user_settings.web_left_sidebar_show_channel_folders !== false
  const folder = isShown && state.channel_folders.find(one => one.id === folderId)
  return folder ? `folder:${folder.id}` : 'channels'
}

/** The user's channels in the order of the sidebar. */
export const channelsInOrder = (state: ChatState): number[] => channelGroups(state).flatMap(group => group.channels)
