import { type JSX, Show } from 'solid-js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useView } from '../view.js'

const lost = 'The connection broke while this was sent, some time ago. It has not arrived.'

/** A message of the user that no event has confirmed yet. */
export function UnsentRow(props: { localId: string }): JSX.Element {
  const chat = useChat()
  const { sending } = useView()
  const unsent = () => chat.state.outbox.find(one => one.localId === props.localId)
  const words = () => ({
    waiting: 'Waiting',
    sending: 'Sending',
    unsure: 'Perhaps sent',
    again: 'Looking whether it arrived',
    refused: 'Not sent',
  })
  return (
    <Show when={unsent()}>
      {one => (
        <article class="message head unsent" data-status={one().status} aria-label="Your message, not sent yet">
          <Avatar userId={chat.state.user_id} />
          <div class="message-body">
            <p class="message-head">
              <strong>{nameOf(chat.state, chat.state.user_id)}</strong>
              <span class="unsent-state">{words()[one().status]}</span>
            </p>
            <p class="unsent-text">{one().content}</p>
            <Show when={one().status === 'refused' || one().status === 'unsure'}>
              <p class="notice bad">{one().error ?? lost}</p>
              <p class="unsent-choices">
                <button type="button" class="button" onClick={() => sending.retry(props.localId)}>
                  {one().status === 'unsure' ? 'Send again' : 'Try again'}
                </button>
                <button type="button" class="button" onClick={() => sending.drop(props.localId)}>
                  Discard
                </button>
              </p>
            </Show>
          </div>
        </article>
      )}
    </Show>
  )
}
