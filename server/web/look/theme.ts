import { type Accessor, createSignal } from 'solid-js'
import { browserStorage } from './browser-storage.js'
import { createMedia } from './media.js'

export type Theme = 'system' | 'light' | 'dark'

export interface ThemeState {
  readonly theme: Accessor<Theme>
  setTheme(theme: Theme): void
  /** Whether the colours are dark now. */
  readonly isDark: Accessor<boolean>
}

const key = 'parley.theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** Light, dark, or the system's theme; stored in the browser. The stylesheet reads `data-theme` of the root. */
export function createTheme(): ThemeState {
  const kept = browserStorage('localStorage')
  const [theme, set] = createSignal(themes.find(theme => theme === kept.read(key)) ?? 'system')
  const isSystemDark = createMedia('(prefers-color-scheme: dark)')
  const show = (wanted: Theme) => {
    if (wanted === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = wanted
  }
  show(theme())
  return {
    theme,
    setTheme(wanted) {
      kept.keep(key, wanted)
      show(wanted)
      set(wanted)
    },
    isDark: () => (theme() === 'system' ? isSystemDark() : theme() === 'dark'),
  }
}
