import type { SettingsTexts } from '../../texts.js'
import { frame } from './frame.js'
import { choices, hints, rows } from './rows.js'
import { parts, sections } from './sections.js'

export const settingsPage: SettingsTexts = { frame, sections, parts, rows, hints, choices }
