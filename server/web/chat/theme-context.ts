import { createContext, createEffect, useContext } from 'solid-js'
import type { Theme, ThemeState } from '../look/theme.js'
import type { Chat } from './chat.js'

export const ThemeContext = createContext<ThemeState>()

/** The themes in the order of the setting `color_scheme`, which counts from 1. */
const schemes: readonly Theme[] = ['system', 'dark', 'light']

export function useTheme(): ThemeState {
  const theme = useContext(ThemeContext)
  if (!theme) throw new Error('outside of the page')
  return theme
}

/** Shows the theme of the user's settings; the browser keeps it for pages without a user. */
export function followTheme(chat: Chat, { setTheme }: ThemeState): void {
  createEffect(() => {
    const theme = schemes[chat.state.user_settings.color_scheme - 1]
    if (chat.isReady() && theme) setTheme(theme)
  })
}

// What other clients store may be any number.
const [leastPixels, mostPixels] = [10, 32]
const [leastPercent, mostPercent] = [100, 220]
const within = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value))

/** Shows the texts of messages in the size and with the height of lines that the user has chosen. */
export function followTextSize({ state, isReady }: Chat): void {
  createEffect(() => {
    if (!isReady()) return
    const { web_font_size_px, web_line_height_percent } = state.user_settings
    const { style } = document.documentElement
    style.setProperty('--message-size', `${within(leastPixels, web_font_size_px, mostPixels)}px`)
    style.setProperty('--message-line', String(within(leastPercent, web_line_height_percent, mostPercent) / 100))
  })
}

/** Shows another theme at once, and makes it the user's setting. */
export async function chooseTheme(chat: Chat, { theme, setTheme }: ThemeState, chosen: Theme): Promise<void> {
  const before = theme()
  setTheme(chosen)
  try {
    await chat.ask('PATCH', '/settings', { color_scheme: schemes.indexOf(chosen) + 1 })
  } catch (error) {
    setTheme(before)
    chat.sayFailure(error)
  }
}
