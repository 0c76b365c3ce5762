import type { JSX } from 'solid-js'
import type { SettingsKey } from '../../language/settings-language.js'
import type { SettingsTexts } from '../../language/texts.js'
import type { IconName } from '../../look/icon.js'
import type { ChatState } from '../../state/chat-state.js'
import type { Row } from './rows.js'

export type SectionId = keyof SettingsTexts['sections']

/** What a component shows, so that the search finds it; its words are `rows.<name>`. */
type EntryName = keyof SettingsTexts['rows']

/** A part of a section: a component, then rows. */
export interface Part {
  readonly title?: SettingsKey
  shows?(): JSX.Element
  readonly names?: readonly EntryName[]
  readonly rows?: readonly Row[]
}

/** A section of the page of settings, as data. */
export interface Section {
  /** Its name in addresses; its title is `sections.<id>`. */
  readonly id: SectionId
  readonly icon: IconName
  readonly parts: readonly Part[]
  /** Who has it in the list; absent: all users. */
  isFor?(state: ChatState): boolean
}
