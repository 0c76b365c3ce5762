import type { StateInline } from 'markdown-it'
import { channelUrl, messageUrl, topicUrl } from '../../../shared/resources/hash-links.js'
import { renderingOf } from './rendering.js'

const channelLink = /#\*\*([^*>\n]+)(?:>([^*\n]*?)(?:@(\d{1,15}))?)?\*\*/y
const mayStandBefore = /[\s'"({/<]/

/** Inline rule: `#**channel**`, `#**channel>topic**` and `#**channel>topic@123**` for one message. */
export function channelLinks(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 || state.linkLevel > 0) return false
  if (state.pos > 0 && !mayStandBefore.test(state.src.charAt(state.pos - 1))) return false
  channelLink.lastIndex = state.pos
  const [source, name = '', topic, messageId] = channelLink.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  const channel = renderingOf(state.env).names.channelByName(name)
  if (!channel) return false
  if (!silent) push(state, channel, topic, messageId)
  state.pos += source.length
  return true
}

function push(
  state: StateInline,
  channel: { stream_id: number; name: string },
  topic: string | undefined,
  messageId: string | undefined,
): void {
  const open = state.push('channel_link_open', 'a', 1)
  if (topic === undefined) {
    open.attrs = attributes('stream', channel.stream_id, channelUrl(channel))
    state.push('text', '', 0).content = `#${channel.name}`
  } else if (messageId === undefined) {
    const newest = renderingOf(state.env).names.newestInTopic(channel.stream_id, topic)
    open.attrs = attributes('stream-topic', channel.stream_id, topicUrl(channel, topic, newest))
    pushPlace(state, channel.name, topic)
  } else {
    open.attrs = [
      ['class', 'message-link'],
      ['href', messageUrl(channel, topic, Number(messageId))],
    ]
    pushPlace(state, channel.name, topic)
    state.push('text', '', 0).content = ' @ 💬'
  }
  state.push('channel_link_close', 'a', -1)
}

function attributes(className: string, streamId: number, href: string): [string, string][] {
  return [
    ['class', className],
    ['data-stream-id', String(streamId)],
    ['href', href],
  ]
}

function pushPlace(state: StateInline, channelName: string, topic: string): void {
  state.push('text', '', 0).content = `#${channelName} > ${topic}`
  if (topic !== '') return
  // Clients show the empty topic under its name in the user's language; this text is the fallback.
  state.push('em_open', 'em', 1)
  state.push('text', '', 0).content = renderingOf(state.env).names.emptyTopicName
  state.push('em_close', 'em', -1)
}
