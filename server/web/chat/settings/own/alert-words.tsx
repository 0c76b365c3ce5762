import { createSignal, For, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { byText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { EntryRow } from '../entry-row.js'

/** The words that the page marks in messages for this user. */
export function AlertWords(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [word, setWord] = createSignal('')
  const path = '/users/me/alert_words'
  const add = async () => {
    if (await save('POST', path, { alert_words: [word().trim()] })) setWord('')
  }
  return (
    <>
      <form
        class="setting-row choice"
        onSubmit={event => {
          event.preventDefault()
          if (word().trim() !== '') void add()
        }}
      >
        <label class="field choice-words">
          {t('settings.newAlertWord')}
          <input
            class="input"
            maxLength={limits.alert_word_length}
            value={word()}
            onInput={event => setWord(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary" disabled={word().trim() === ''}>
          {t('words.add')}
        </button>
      </form>
      <ul class="choices" aria-label={t('settings.tabs.alertWords')}>
        <For
          each={[...chat.state.alert_words].sort(byText)}
          fallback={<li class="quiet">{t('settings.noAlertWords')}</li>}
        >
          {one => (
            <EntryRow
              text={one}
              title={t('words.remove')}
              label={t('words.removeOne', one)}
              work={() => save('DELETE', path, { alert_words: [one] })}
            />
          )}
        </For>
      </ul>
    </>
  )
}
