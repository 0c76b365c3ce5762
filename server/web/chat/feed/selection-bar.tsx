import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { useChat } from '../chat.js'
import { copySources } from '../message-deeds.js'
import { useView } from '../view.js'

/** What can be done with the selected messages. */
export function SelectionBar(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const ids = () => view.selection.ids()
  const copy = () => copySources(chat, ids()).then(view.selection.clear, chat.sayFailure)
  return (
    <Show when={ids().length > 0}>
      <div class="feed-note selection-bar" role="toolbar" aria-label={t('feed.selection')}>
        <span role="status">{t('feed.selected', ids().length)}</span>
        <button type="button" class="button" onClick={() => view.open({ forward: ids() })}>
          <Icon name="forward" /> {t('message.forward')}
        </button>
        <button type="button" class="button" onClick={() => void copy()}>
          <Icon name="copy" /> {t('message.copyText')}
        </button>
        <button type="button" class="icon-button" aria-label={t('feed.selectNone')} onClick={view.selection.clear}>
          <Icon name="close" />
        </button>
      </div>
    </Show>
  )
}
