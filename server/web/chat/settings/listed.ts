import type { JSX } from 'solid-js'
import type { SettingsKey } from '../../language/settings-language.js'
import type { SettingsTexts } from '../../language/texts.js'
import type { ChatState } from '../../state/chat-state.js'
import type { Option } from './rows.js'

/** What the user has written in a form, by the names of its fields; of a switch `true` or the empty text. */
export type Written = Readonly<Record<string, string>>

/** A field of a form; its words are `fields.<name>`. */
export interface Field {
  readonly name: keyof SettingsTexts['fields']
  /** `channels`, `groups`: ids, with commas between them. */
  readonly kind: 'line' | 'lines' | 'switch' | 'choice' | 'channels' | 'groups'
  readonly longest?: number
  readonly isOptional?: true
  /** What is wrong with what was written. */
  problem?(): JSX.Element
  /** Of a new entry alone. */
  readonly isFixed?: true
  options?(state: ChatState): readonly Option[]
  /** Whether it is shown, for what is written in the fields before it; absent: always. */
  isFor?(written: Written): boolean
}

export type Request = readonly [method: string, path: string, params?: Readonly<Record<string, unknown>>]

/** A list of the organization that users with the right to it change, as data. */
export interface Listed<Item> {
  /** Its words are `lists.<id>`. */
  readonly id: keyof SettingsTexts['lists']
  items(state: ChatState): readonly Item[]
  idOf(item: Item): string | number
  titleOf(item: Item, state: ChatState): string
  detailOf?(item: Item, state: ChatState): string
  readonly fields: readonly Field[]
  /** What the form of a new entry begins with; a choice begins with its first option. */
  readonly start?: Written
  /** What the form of an entry begins with. */
  written?(item: Item): Written
  mayChange(state: ChatState): boolean
  readonly onlyOwners?: true
  add(written: Written, state: ChatState): Request
  /** One request after the other. */
  change?(item: Item, written: Written, state: ChatState): readonly Request[]
  remove(item: Item): Request
  /** What the remove button does, if it does not remove. */
  readonly removeTitle?: SettingsKey
  order?(ids: readonly (string | number)[], state: ChatState): Request
}
