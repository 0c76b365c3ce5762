import { createUniqueId, For, type JSX } from 'solid-js'
import { type Language, language, languages, t } from '../../../language/language.js'
import { useSaving } from './saving.js'

/** The language of the account, of those that the page speaks. The event of the change follows it. */
export function LanguageChoice(): JSX.Element {
  const { save } = useSaving()
  const id = createUniqueId()
  const choose = async (element: HTMLSelectElement) => {
    if (!(await save('PATCH', '/settings', { default_language: element.value }))) element.value = language()
  }
  return (
    <div class="field">
      <label for={id}>{t('settings.language')}</label>
      <select class="input" id={id} onChange={event => void choose(event.currentTarget)}>
        <For each={Object.keys(languages) as Language[]}>
          {code => (
            <option value={code} lang={code} selected={code === language()}>
              {languages[code].name}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}
