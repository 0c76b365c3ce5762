import { createContext, useContext } from 'solid-js'
import type { createTheme } from '../look/theme.js'

export const ThemeContext = createContext<ReturnType<typeof createTheme>>()

export function useTheme(): ReturnType<typeof createTheme> {
  const theme = useContext(ThemeContext)
  if (!theme) throw new Error('outside of the page')
  return theme
}
