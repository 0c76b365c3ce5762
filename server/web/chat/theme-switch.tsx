import { For, type JSX } from 'solid-js'
import { Icon, type IconName } from '../look/icon.js'
import type { Theme } from '../look/theme.js'
import { useChat } from './chat.js'
import { chooseTheme, useTheme } from './theme-context.js'

const themes: readonly { theme: Theme; icon: IconName; title: string }[] = [
  { theme: 'system', icon: 'screen', title: 'System' },
  { theme: 'light', icon: 'sun', title: 'Light' },
  { theme: 'dark', icon: 'moon', title: 'Dark' },
]

/** Light or dark colours, or those of the system. */
export function ThemeSwitch(props: { hasTitles?: boolean }): JSX.Element {
  const chat = useChat()
  const theme = useTheme()
  return (
    <fieldset class="theme-switch" classList={{ titled: props.hasTitles }}>
      <legend class="unseen">Colours</legend>
      <For each={themes}>
        {one => (
          <button
            type="button"
            class="icon-button"
            title={one.title}
            aria-label={one.title}
            aria-pressed={theme.theme() === one.theme}
            onClick={() => void chooseTheme(chat, theme, one.theme)}
          >
            <Icon name={one.icon} />
            {props.hasTitles && one.title}
          </button>
        )}
      </For>
    </fieldset>
  )
}
