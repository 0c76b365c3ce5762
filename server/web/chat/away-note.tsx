import { type JSX, Show } from 'solid-js'
import { locale, t } from '../language/language.js'
import type { ChatState } from '../state/chat-state.js'
import { timeOfDay } from '../state/times.js'
import { useChat } from './chat.js'
import { dateText } from './moment-text.js'

/** Says that the page shows an earlier state, because it cannot reach the server. */
export function AwayNote(): JSX.Element {
  const chat = useChat()
  return (
    <Show when={chat.away()}>
      {since => (
        <p class="away-note" role="status">
          {t('view.away', momentOf(chat.state, since()))}
        </p>
      )}
    </Show>
  )
}

/** The time, with the day unless it is today. */
function momentOf(state: ChatState, ms: number): string {
  const [then, now] = [new Date(ms), new Date()]
  const isToday = then.toDateString() === now.toDateString()
  return isToday ? then.toLocaleTimeString(locale(), timeOfDay(state)) : dateText(state, ms)
}
