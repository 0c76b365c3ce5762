import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useView } from '../view.js'

/** A message of the user that no event has confirmed yet. */
export function UnsentRow(props: { localId: string }): JSX.Element {
  const chat = useChat()
  const { sending } = useView()
  const unsent = () => chat.state.outbox.find(one => one.localId === props.localId)
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
              <p class="unsent-choices">
                <button type="button" class="button" onClick={() => sending.retry(props.localId)}>
                  {one().status === 'unsure' ? t('unsent.sendAgain') : t('words.tryAgain')}
                </button>
                <button type="button" class="button" onClick={() => sending.drop(props.localId)}>
                  {t('unsent.discard')}
                </button>
              </p>
            </Show>
          </div>
        </article>
      )}
    </Show>
  )
}
