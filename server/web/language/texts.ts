import type { en } from './en/index.js'
import type { settingsPage } from './en/settings-page/index.js'

/** All texts of the pages. English is the pattern: another language has the same keys with the same parameters. */
export type Texts = typeof en

/** The texts of the page of settings, which the browser loads with that page. */
export type SettingsTexts = typeof settingsPage
