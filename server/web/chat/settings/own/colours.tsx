import type { JSX } from 'solid-js'
import { t } from '../../../language/language.js'
import { ThemeSwitch } from '../../theme-switch.js'
import { Entry } from '../entry.js'
import { LanguageChoice } from './language-choice.js'

/** Colours and language of the page. */
export function Colours(): JSX.Element {
  return (
    <>
      <Entry name="color_scheme">
        <p class="setting-title">{t('settings.colours')}</p>
        <ThemeSwitch hasTitles />
      </Entry>
      <Entry name="default_language">
        <LanguageChoice />
      </Entry>
    </>
  )
}
