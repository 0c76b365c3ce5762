import type { ChatState } from './chat-state.js'
import { rankOf } from './completion.js'
import { arrangementOf } from './sections.js'

/** From so many channels on, quiet ones are put away unless the user wants it otherwise. */
const many = 30

const demote = { automatically: 1, always: 2 } as const

/** Whether the list puts quiet channels away. */
export function putsQuietAway(state: ChatState): boolean {
  const { demote_inactive_streams: wanted } = state.user_settings
  if (wanted === demote.always) return true
  return wanted === demote.automatically && Object.keys(state.subscriptions).length > many
}

export interface ShownChannels {
  readonly shown: readonly number[]
  /** How many are put away because they are quiet. */
  readonly quiet: number
}

interface Wanted {
  /** What the user looks for; empty: nothing. */
  readonly words: string
  /** Shows the quiet ones, too. */
  readonly isWhole: boolean
  isOpen(id: number): boolean
  unread(id: number): number
}

/** Which channels of a section the sidebar shows. While the user looks for words, all that have them. */
export function shownChannels(
  state: ChatState,
  channels: readonly number[],
  { words, isWhole, isOpen, unread }: Wanted,
): ShownChannels {
  if (words !== '')
    return { shown: channels.filter(id => rankOf(state.subscriptions[id]?.name ?? '', words) >= 0), quiet: 0 }
  const isMuted = (id: number) => state.subscriptions[id]?.is_muted === true
  if (arrangementOf(state).unread_only)
    return { shown: channels.filter(id => isOpen(id) || (unread(id) > 0 && !isMuted(id))), quiet: 0 }
  if (!putsQuietAway(state)) return { shown: channels, quiet: 0 }
  const isQuiet = (id: number) => {
    const own = state.subscriptions[id]
    if (own?.pin_to_top || isOpen(id)) return false
    return own?.is_muted || (own?.is_recently_active === false && unread(id) === 0)
  }
  const quiet = channels.filter(isQuiet)
  if (isWhole) return { shown: channels, quiet: quiet.length }
  const isAway = new Set(quiet)
  return { shown: channels.filter(id => !isAway.has(id)), quiet: quiet.length }
}
