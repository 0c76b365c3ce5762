import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import type { Unsent } from '../../state/chat-state.js'
import { narrowOfPlace } from '../../state/narrow.js'
import { isUntried } from '../../state/outbox.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { writeIn } from '../message-deeds.js'
import { nameOf } from '../names.js'
import { useView } from '../view.js'

/** A message of the user that no event has confirmed yet. */
export function UnsentRow(props: { localId: string }): JSX.Element {
  const chat = useChat()
  const unsent = () => chat.state.outbox.find(one => one.localId === props.localId)
  // With a connection a message that waits is sent in a moment: its buttons would go under the pointer.
  const waits = (one: Unsent) => isUntried(one) && chat.phase() !== 'live'
  return (
    <Show when={unsent()}>
      {one => (
        <article class="message head unsent" data-status={one().status} aria-label={t('unsent.label')}>
          <Avatar userId={chat.state.user_id} />
          <div class="message-body">
            <p class="message-head">
              <strong dir="auto">{nameOf(chat.state, chat.state.user_id)}</strong>
              <span class="unsent-state">{t(`unsent.status.${one().status}`)}</span>
            </p>
            <p class="unsent-text" dir="auto">
              {one().content}
            </p>
            <Show when={one().status === 'refused' || one().status === 'unsure'}>
              <p class="notice bad">{one().error ?? t('unsent.lost')}</p>
            </Show>
            <Show when={one().status === 'refused' || one().status === 'unsure' || waits(one())}>
              <Choices unsent={one()} />
            </Show>
          </div>
        </article>
      )}
    </Show>
  )
}

/** What the user can do with a message that is not being sent. */
function Choices(props: { unsent: Unsent }): JSX.Element {
  const view = useView()
  const id = () => props.unsent.localId
  const isRefused = () => props.unsent.status === 'refused'
  /** Takes the text back into the composer of its place. */
  const edit = () => {
    const { localId, place, content } = props.unsent
    writeIn(view, narrowOfPlace(place), content)
    // After the composer has taken it. Where the user may no longer write there is none, and the message stays.
    queueMicrotask(() => {
      if (view.composer?.isConnected && view.composer.value.endsWith(content)) view.sending.drop(localId)
    })
  }
  return (
    <p class="unsent-choices">
      <Show when={props.unsent.status === 'unsure' || isRefused()}>
        <button type="button" class="button" onClick={() => view.sending.retry(id())}>
          {isRefused() ? t('words.tryAgain') : t('unsent.sendAgain')}
        </button>
      </Show>
      <Show when={props.unsent.status !== 'unsure'}>
        <button type="button" class="button" onClick={edit}>
          {t('unsent.edit')}
        </button>
      </Show>
      <button type="button" class="button" onClick={() => view.sending.drop(id())}>
        {t('unsent.discard')}
      </button>
    </p>
  )
}
