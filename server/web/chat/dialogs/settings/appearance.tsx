import type { JSX } from 'solid-js'
import { locale, t } from '../../../language/language.js'
import { ThemeSwitch } from '../../theme-switch.js'
import { Choice, Toggle } from './controls.js'
import { LanguageChoice } from './language-choice.js'

/** How the page looks. */
export function Appearance(): JSX.Element {
  return (
    <>
      <h3 class="part-title">{t('settings.colours')}</h3>
      <ThemeSwitch hasTitles />
      <LanguageChoice />
      <Choice
        name="twenty_four_hour_time"
        title={t('settings.times')}
        options={[
          [false, timeExample('h12')],
          [true, timeExample('h23')],
        ]}
      />
      <Choice
        name="web_home_view"
        title={t('settings.firstView')}
        options={[
          ['inbox', t('view.inbox')],
          ['recent', t('view.recent')],
          ['all_messages', t('view.all')],
        ]}
      />
      <fieldset class="group">
        <legend>{t('settings.writing')}</legend>
        <Toggle name="translate_emoticons" title={t('settings.emoticons')} />
        <Toggle name="receives_typing_notifications" title={t('settings.showTyping')} />
      </fieldset>
    </>
  )
}

/** Half past one in the afternoon, as the language writes it. */
const timeExample = (hourCycle: 'h12' | 'h23'): string =>
  new Date(2026, 0, 1, 13, 30).toLocaleTimeString(locale(), { hour: 'numeric', minute: '2-digit', hourCycle })
