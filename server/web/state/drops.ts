import { folderSection, sectionOf } from './channels.js'
import type { ChatState } from './chat-state.js'
import { mayAdminister } from './permissions.js'
import { pinnedChannels } from './pins.js'
import { folderOf, moved, type Section, sectionsInOrder } from './sections.js'

/** A channel, a section, or a channel as a place within its section. */
export interface Held {
  readonly channel?: number | undefined
  readonly section?: Section | undefined
}

/** What becomes of a thing that is dropped at a place of the sidebar. */
export type Drop =
  | { readonly kind: 'section'; readonly section: Section; readonly target: Section; readonly edge: Edge }
  /** `order`: of all pinned channels then. */
  | { readonly kind: 'pin'; readonly channel: number; readonly order: readonly number[]; readonly edge: Edge }
  /** For all people. `folder` null: out of its folder. */
  | { readonly kind: 'folder'; readonly channel: number; readonly folder: number | null; readonly edge: 'into' }
  | { readonly kind: 'unpin'; readonly channel: number; readonly edge: 'into' }

export type Edge = 'above' | 'below' | 'into'

/** Undefined: it cannot be dropped there, or nothing would change. */
export function dropOf(state: ChatState, held: Held, target: Held): Drop | undefined {
  if (held.channel !== undefined) return dropOfChannel(state, held.channel, target)
  const { section } = held
  if (!section || !target.section || section === target.section) return undefined
  const order = sectionsInOrder(state)
  const edge = order.indexOf(section) < order.indexOf(target.section) ? 'below' : 'above'
  return { kind: 'section', section, target: target.section, edge }
}

function dropOfChannel(state: ChatState, channel: number, target: Held): Drop | undefined {
  const own = state.subscriptions[channel]
  const { section } = target
  if (!own || !section || section === 'direct' || target.channel === channel) return undefined
  if (section === 'pinned') return pinAt(state, channel, target.channel)
  if (section === sectionOf(state, channel)) return undefined
  if (own.pin_to_top && section === folderSection(state, own.folder_id)) return { kind: 'unpin', channel, edge: 'into' }
  if (own.pin_to_top || !mayAdminister(state, channel)) return undefined
  return { kind: 'folder', channel, folder: folderOf(state, section)?.id ?? null, edge: 'into' }
}

/** At the place of another pinned channel; without one, at the end. */
function pinAt(state: ChatState, channel: number, target: number | undefined): Drop | undefined {
  const pins = pinnedChannels(state)
  const from = pins.indexOf(channel)
  if (target === undefined)
    return from < 0 ? { kind: 'pin', channel, order: [...pins, channel], edge: 'into' } : undefined
  const to = pins.indexOf(target)
  if (to < 0) return undefined
  if (from < 0) return { kind: 'pin', channel, order: pins.toSpliced(to, 0, channel), edge: 'above' }
  return { kind: 'pin', channel, order: moved(pins, channel, target), edge: from < to ? 'below' : 'above' }
}
