import { createMemo, type JSX, Show } from 'solid-js'
import { locale, t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { isMutedPerson } from '../../state/people.js'
import { timeOfDay } from '../../state/times.js'
import { widgetOf } from '../../state/widgets.js'
import { type Chat, useChat } from '../chat.js'
import { textOfMarkup } from '../markup.js'
import { momentText } from '../moment-text.js'
import { nameOf } from '../names.js'

// More does not fit in a line.
const longestText = 200

/**
 * Who has written the newest message of a place, unless the row already has this name, and how the message begins. An empty line until
 * the page knows the message.
 */
export function LastWords(props: { id: number; rowName: string }): JSX.Element {
  const chat = useChat()
  const message = () => chat.state.messages[props.id]
  const sender = () => nameOf(chat.state, message()?.sender_id ?? 0)
  const words = createMemo(() => {
    const known = message()
    return known && beginningOf(chat, known)
  })
  return (
    <span class="last-words" dir="auto">
      <Show when={message()}>
        <Show when={sender() !== props.rowName}>
          <bdi class="last-sender">{sender()}</bdi>{' '}
        </Show>
        {words()}
      </Show>
    </span>
  )
}

/** How a message begins, as a line. */
export function beginningOf({ state }: Chat, { sender_id, content, submessages }: Message): string {
  if (isMutedPerson(state, sender_id)) return t('feed.muted')
  const widget = widgetOf(submessages)
  if (!widget) return [...textOfMarkup(content)].slice(0, longestText).join('')
  return 'poll' in widget ? t('widget.pollLabel', widget.poll.question) : t('widget.tasksLabel', widget.tasks.title)
}

/** When the newest message of a place was sent: a time of today, otherwise a day. */
export function LastMoment(props: { id: number }): JSX.Element {
  const chat = useChat()
  return (
    <Show when={chat.state.messages[props.id]}>
      {message => {
        const time = () => new Date(message().timestamp * 1000)
        const words = () =>
          time().toDateString() === new Date().toDateString()
            ? time().toLocaleTimeString(locale(), timeOfDay(chat.state))
            : time().toLocaleDateString(locale(), { day: 'numeric', month: 'short' })
        return (
          <time
            class="recent-time"
            dateTime={time().toISOString()}
            title={momentText(chat.state, message().timestamp * 1000)}
          >
            {words()}
          </time>
        )
      }}
    </Show>
  )
}
