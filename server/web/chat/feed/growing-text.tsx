import { createEffect, type JSX, onCleanup, Show } from 'solid-js'
import { t } from '../../language/language.js'
import type { Growing, Message } from '../../state/chat-state.js'
import { textFetched } from '../../state/streamed-messages.js'
import { useChat } from '../chat.js'
import './growing-text.css'

interface GrowingTextProps {
  readonly message: Message
  readonly growing: Growing
  /** The message as it was when the page came to know it. */
  readonly before: JSX.Element
}

/** The source of a message as it grows, and the button that stops it. */
export function GrowingText(props: GrowingTextProps): JSX.Element {
  const chat = useChat()
  const { id } = props.message
  let isGone = false
  let isAsking = false
  onCleanup(() => {
    isGone = true
  })
  createEffect(() => {
    if (props.growing.text === null && !isAsking) void fetch()
  })
  async function fetch(): Promise<void> {
    isAsking = true
    try {
      const answer = await chat.ask('GET', `/messages/${id}/text`)
      isAsking = false
      if (!isGone) chat.change(state => textFetched(state, id, answer as { text: string; is_growing: boolean }))
    } catch {
      // The next piece asks again.
      isAsking = false
    }
  }
  const stop = () => chat.attempt(() => chat.ask('POST', `/messages/${id}/end`))
  return (
    <>
      <Show when={props.growing.text !== null} fallback={props.before}>
        <div class="content growing" dir="auto" aria-busy="true">
          {props.growing.text}
        </div>
      </Show>
      <button type="button" class="link-button stop" onClick={() => void stop()}>
        {t('message.stopWriting')}
      </button>
    </>
  )
}
