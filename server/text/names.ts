import type { LinkifierBudget } from './linkifier-budget.js'

/** One match of a linkifier in a text. */
export interface Found {
  start: number
  end: number
  url: string
}

export interface Linkifier {
  /** The matches in the order of the text, within the budget of `budget`. */
  find(text: string, budget: LinkifierBudget): readonly Found[]
}

/** The names that a message may refer to; lookups are synchronous, in the directory. */
export interface Names {
  userById(id: number): { user_id: number; full_name: string } | undefined
  /** Ignores case; several users may have the same name. */
  usersByName(fullName: string): readonly { user_id: number; full_name: string }[]
  groupByName(name: string): { id: number; name: string } | undefined
  channelByName(name: string): { stream_id: number; name: string } | undefined
  /** A custom emoji of the organization, or the built-in extra one. */
  customEmoji(name: string): { id: string; source_url: string } | undefined
  /** Whether emoticons such as `:)` become emoji: the author's choice. */
  translatesEmoticons: boolean
  /** The word for the language of code blocks that name none; '' for no language. */
  codeLanguage: string
  /** In the order in which they are applied: of two overlapping matches the first wins. */
  linkifiers: readonly Linkifier[]
}

/** For text without references to names, such as a channel's description. */
export const noNames: Names = {
  userById: () => undefined,
  usersByName: () => [],
  groupByName: () => undefined,
  channelByName: () => undefined,
  customEmoji: () => undefined,
  translatesEmoticons: false,
  codeLanguage: '',
  linkifiers: [],
}
