import { LinkifierBudget } from '../linkifier-budget.js'
import type { Found, Names } from '../names.js'
import type { PlacedPart } from '../slow-parts.js'
import type { LinkScan } from './link-scan.js'

/** One run of the renderer: the names for its rules, and the results that they collect. */
export interface Rendering {
  readonly names: Names
  readonly budget: LinkifierBudget
  /** The links in a text without markup: finding them may spend the whole budget, so it happens once. */
  plain?: { readonly text: string; readonly links: readonly Found[] }
  /** The scan of the block whose text the parser reads. */
  links?: LinkScan
  /** Formulas and code of which the HTML holds only the places so far, in the order of the HTML. */
  readonly parts: PlacedPart[]
  /** Emoji shown as pictures so far, at most `budgets.emojiShown`. */
  emojiShown: number
  readonly userIds: Set<number>
  readonly groupIds: Set<number>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** Paths of the uploaded files to which the text links, at most `budgets.filesInMessage`. */
  readonly files: Set<string>
  /** Addresses of websites that could have a preview, in the order of the text. */
  readonly websites: Set<string>
  /** Inside a quotation mentions are silent, because the quoted message has notified those users already. */
  quoted: boolean
}

export function startRendering(names: Names, budget = new LinkifierBudget()): Rendering {
  return {
    names,
    budget,
    parts: [],
    emojiShown: 0,
    userIds: new Set(),
    groupIds: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    files: new Set(),
    websites: new Set(),
    quoted: false,
  }
}

/** The parser passes only `env` to its rules, so `env` contains the rendering. */
export function renderingOf(env: Record<string | symbol, unknown>): Rendering {
  return env.rendering as Rendering
}
