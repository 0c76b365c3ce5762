import { dayText } from '../../../language/format.js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import type { Chat } from '../../chat.js'

const dayMs = 86_400_000
const recentDays = 6

/** When the user was last active; empty if the page does not know it, because it is long ago or the user hides it. */
export function lastSeen({ state, now }: Chat, userId: number): string {
  const known = state.presences[userId]
  if (!known) return ''
  const at = Math.max(known.active_timestamp, known.idle_timestamp) * 1000
  if (at <= 0) return ''
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(at) - midnight(now())) / dayMs)
  const text = days >= -recentDays ? dayText(days) : new Date(at).toLocaleDateString(locale(), { dateStyle: 'medium' })
  return st('people.lastSeen', text)
}
