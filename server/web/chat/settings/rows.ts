import type { SettingsTexts } from '../../language/texts.js'

/** Whose value a row shows: the user's, the organization's, or the one with which new users begin. */
export type Scope = 'own' | 'organization' | 'newUsers'

/** The name of a setting; its words are `rows.<name>`. */
export type SettingName = keyof SettingsTexts['rows']

export type Value = string | number | boolean | null

/** A value of a setting, and its words in the language of the page. */
export type Option = readonly [value: Value, text: () => string]

export type Control =
  | { readonly kind: 'switch' /** On where the setting is false. */; readonly isReversed?: true }
  | { readonly kind: 'choice'; options(): readonly Option[] }
  | { readonly kind: 'text'; readonly longest: number; readonly lines?: number; readonly isMarkdown?: true }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'channel' }
  | { readonly kind: 'holders' }

/** A setting with its control, as data. */
export type Row = { readonly scope: Scope; readonly name: SettingName } & Control

/** Functions that describe the rows of one scope. */
export const rowsOf = (scope: Scope) => ({
  toggle: (name: SettingName): Row => ({ scope, name, kind: 'switch' }),
  /** A switch that is on where the setting is false. */
  reversed: (name: SettingName): Row => ({ scope, name, kind: 'switch', isReversed: true }),
  choice: (name: SettingName, options: () => readonly Option[]): Row => ({ scope, name, kind: 'choice', options }),
  text: (name: SettingName, longest: number, lines?: number): Row => ({
    scope,
    name,
    kind: 'text',
    longest,
    ...(lines && { lines }),
  }),
  /** A text that people see as Markdown, with a preview. */
  markdown: (name: SettingName, longest: number, lines: number): Row => ({
    scope,
    name,
    kind: 'text',
    longest,
    lines,
    isMarkdown: true,
  }),
  number: (name: SettingName, least: number, most: number): Row => ({ scope, name, kind: 'number', least, most }),
  channel: (name: SettingName): Row => ({ scope, name, kind: 'channel' }),
  holders: (name: SettingName): Row => ({ scope, name, kind: 'holders' }),
})
