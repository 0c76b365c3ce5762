import { createMemo, For, type JSX } from 'solid-js'
import { byText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { nameOf } from '../../names.js'
import { useSaving } from './saving.js'

/** The people that the user muted, to unmute them. */
export function MutedPeople(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const muted = createMemo(() =>
    chat.state.muted_users
      .map(({ id }) => ({ id, name: nameOf(chat.state, id) }))
      .sort((a, b) => byText(a.name, b.name)),
  )
  return (
    <ul class="choices" aria-label={t('settings.tabs.mutedPeople')}>
      <For each={muted()} fallback={<li class="quiet">{t('settings.noMutedPeople')}</li>}>
        {({ id, name }) => (
          <li class="choice setting-row">
            <span class="choice-words" dir="auto">
              {name}
            </span>
            <button
              type="button"
              class="button"
              aria-label={t('words.unmuteOne', name)}
              onClick={() => void save('DELETE', `/users/me/muted_users/${id}`, {})}
            >
              {t('words.unmute')}
            </button>
          </li>
        )}
      </For>
    </ul>
  )
}
