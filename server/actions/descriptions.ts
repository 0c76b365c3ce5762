import { renderAtOnce } from '../text/markdown.js'
import { noPreviews } from '../text/names.js'
import type { ChannelReferences } from './messages/channel-references.js'
import { namesFor, type Place } from './messages/names.js'

const publicChannels: ChannelReferences = {
  isReadable: channel => !channel.invite_only,
  newestInTopic: () => undefined,
}

/**
 * The HTML of a description, of a channel, the organization or a profile (docs/protocol/message-html.md#descriptions). It refers to public
 * channels only, since those who read it may not know others; mentions in it notify no user.
 */
export function renderDescription(ctx: Place, text: string): string {
  const names = namesFor(ctx, null, { channels: publicChannels, files: new Map(), known: null })
  return renderAtOnce(text.trim(), { ...names, ...noPreviews }).html
}
