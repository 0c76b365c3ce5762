import { createMemo, For, type JSX } from 'solid-js'
import { byText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { nameOf } from '../../names.js'
import { EntryRow } from '../entry-row.js'

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
          <EntryRow
            text={name}
            title={t('words.unmute')}
            label={t('words.unmuteOne', name)}
            work={() => save('DELETE', `/users/me/muted_users/${id}`, {})}
          />
        )}
      </For>
    </ul>
  )
}
