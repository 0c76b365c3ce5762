import { Effort } from './effort.js'
import type { Found, Names } from './names.js'

/** One run of the renderer: what its rules may look up, and what they gather on the way. */
export interface Rendering {
  readonly names: Names
  readonly effort: Effort
  /** What the linkifiers found in a text without any markup: finding it may cost all of the effort, so it is done once. */
  plain?: { readonly text: string; readonly links: readonly Found[] }
  readonly userIds: Set<number>
  readonly groupIds: Set<number>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** Inside a quotation: who is mentioned there was told before, so mentions are silent. */
  quoted: boolean
}

export function startRendering(names: Names): Rendering {
  return {
    names,
    effort: new Effort(),
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

/** The rules of the parser get no argument of ours, only its `env`: the rendering travels there. */
export function renderingOf(env: Record<string | symbol, unknown>): Rendering {
  return env.rendering as Rendering
}
