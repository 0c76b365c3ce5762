import type { JSX } from 'solid-js'
import { type Language, language, languages, t } from '../../../language/language.js'
import { SavedChoice } from '../../dialogs/saved-choice.js'
import { useSaving } from '../../dialogs/saving.js'

/** The language of the account, of those that the page speaks. The event of the change follows it. */
export function LanguageChoice(): JSX.Element {
  const { save } = useSaving()
  const codes = Object.keys(languages) as Language[]
  return (
    <SavedChoice
      title={t('settings.language')}
      value={language()}
      options={codes.map(code => [code, languages[code].name, code])}
      save={code => save('PATCH', '/settings', { default_language: code })}
    />
  )
}
