import { LinkifierBudget } from './linkifier-budget.js'
import type { Found, Names } from './names.js'

/** One run of the renderer: the names for its rules, and the results that they collect. */
export interface Rendering {
  readonly names: Names
  readonly budget: LinkifierBudget
  /** The links in a text without markup: finding them may spend the whole budget, so it happens once. */
  plain?: { readonly text: string; readonly links: readonly Found[] }
  /** Emoji shown as pictures so far, at most `budgets.emojiShown`. */
  emojiShown: number
  readonly userIds: Set<number>
  readonly groupIds: Set<number>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** Inside a quotation mentions are silent, because the quoted message has notified those users already. */
  quoted: boolean
}

export function startRendering(names: Names): Rendering {
  return {
    names,
    budget: new LinkifierBudget(),
    emojiShown: 0,
    userIds: new Set(),
    groupIds: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    quoted: false,
  }
}

/** The parser passes only `env` to its rules, so `env` contains the rendering. */
export function renderingOf(env: Record<string | symbol, unknown>): Rendering {
  return env.rendering as Rendering
}
