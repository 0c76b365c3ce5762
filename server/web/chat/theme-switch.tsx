import { For, type JSX } from 'solid-js'
import { t } from '../language/language.js'
import { Icon, type IconName } from '../look/icon.js'
import type { Theme } from '../look/theme.js'
import { useChat } from './chat.js'
import { chooseTheme, useTheme } from './theme-context.js'

const themes: readonly { theme: Theme; icon: IconName }[] = [
  { theme: 'system', icon: 'screen' },
  { theme: 'light', icon: 'sun' },
  { theme: 'dark', icon: 'moon' },
]

/** Light or dark colours, or those of the system. */
export function ThemeSwitch(props: { hasTitles?: boolean }): JSX.Element {
  const chat = useChat()
  const theme = useTheme()
  return (
    <fieldset class="theme-switch" classList={{ titled: props.hasTitles }}>
      <legend class="unseen">{t('settings.colours')}</legend>
      <For each={themes}>
        {one => (
          <button
            type="button"
            class="icon-button"
            title={t(`settings.theme.${one.theme}`)}
            aria-label={t(`settings.theme.${one.theme}`)}
            aria-pressed={theme.theme() === one.theme}
            onClick={() => void chooseTheme(chat, theme, one.theme)}
          >
            <Icon name={one.icon} />
            {props.hasTitles && t(`settings.theme.${one.theme}`)}
          </button>
        )}
      </For>
    </fieldset>
  )
}
