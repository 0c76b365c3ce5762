import type { Effort } from './effort.js'

/** Where one linkifier found something to link in a piece of text. */
export interface Found {
  start: number
  end: number
  url: string
}

export interface Linkifier {
  /** Where it matches, in the text's order; only as far as the effort goes. */
  find(text: string, effort: Effort): readonly Found[]
}

/** What the text of a message may refer to; looked up synchronously in the organization's directory. */
export interface Names {
  userById(id: number): { user_id: number; full_name: string } | undefined
  /** Ignores case; several people may carry one name. */
  usersByName(fullName: string): readonly { user_id: number; full_name: string }[]
  groupByName(name: string): { id: number; name: string } | undefined
  channelByName(name: string): { stream_id: number; name: string } | undefined
  /** An organization's own emoji, and the built-in extra one. */
  customEmoji(name: string): { id: string; source_url: string } | undefined
  /** In the order of application: where two overlap, the first one wins. */
  linkifiers: readonly Linkifier[]
}

/** For text that may refer to nothing, such as a channel's description. */
export const noNames: Names = {
  userById: () => undefined,
  usersByName: () => [],
  groupByName: () => undefined,
  channelByName: () => undefined,
  customEmoji: () => undefined,
  linkifiers: [],
}
