import type { ChatState } from './chat-state.js'

/** How the user's settings want times of day; undefined: as the browser's language has them. */
export function hourCycleOf({ user_settings }: Pick<ChatState, 'user_settings'>): 'h23' | 'h12' | undefined {
  const { twenty_four_hour_time } = user_settings
  return twenty_four_hour_time === null ? undefined : twenty_four_hour_time ? 'h23' : 'h12'
}

/** Hours and minutes, for Intl. */
export function timeOfDay(state: Pick<ChatState, 'user_settings'>): Intl.DateTimeFormatOptions {
  const hourCycle = hourCycleOf(state)
  return { hour: hourCycle === 'h12' ? 'numeric' : '2-digit', minute: '2-digit', ...(hourCycle && { hourCycle }) }
}
