import { locale } from '../language/language.js'
import type { ChatState } from '../state/chat-state.js'
import { hourCycleOf, timeOfDay } from '../state/times.js'
import { zoneOf } from '../state/zoned-time.js'

/** A moment in ms as a day and a time of day in the time zone of the user, with the year where it is another one. */
export function momentText(state: Pick<ChatState, 'user_settings'>, at: number): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear()
  return new Date(at).toLocaleString(locale(), {
    timeZone: zoneOf(state),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    ...timeOfDay(state),
  })
}

/** A moment in ms as a date with the year and a time of day, in the time zone of the browser. */
export function dateText(state: Pick<ChatState, 'user_settings'>, at: number): string {
  const hourCycle = hourCycleOf(state)
  return new Date(at).toLocaleString(locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(hourCycle && { hourCycle }),
  })
}
