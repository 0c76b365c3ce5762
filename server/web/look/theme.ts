import { createSignal } from 'solid-js'

export type Theme = 'system' | 'light' | 'dark'

const key = 'parley.theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

const kept = (): Theme => themes.find(theme => theme === localStorage.getItem(key)) ?? 'system'

/** Light, dark, or the system's theme; stored in the browser. The stylesheet reads `data-theme` of the root. */
export function createTheme(): { theme: () => Theme; setTheme(theme: Theme): void } {
  const [theme, set] = createSignal(kept())
  const show = (wanted: Theme) => {
    if (wanted === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = wanted
  }
  show(theme())
  return {
    theme,
    setTheme(wanted) {
      localStorage.setItem(key, wanted)
      show(wanted)
      set(wanted)
    },
  }
}
