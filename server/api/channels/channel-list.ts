import type { Ctx } from '../../ctx.js'
import type { ChannelDetails } from '../../memory/channel-details.js'
import { channelFields } from '../../presenters/channel-fields.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { JsonBuffer } from '../json-buffer.js'

// Bytes per channel for the personal settings and the last brace.
const roomForOwn = 256
const closingBrace = 0x7d

/** Channels as a JSON array in UTF-8; `addOwn` adds fields to each, with a comma before them. */
export function channelList(
  { directory, jsonBuffers }: Pick<Ctx, 'directory' | 'jsonBuffers'>,
  channels: readonly ChannelRow[],
  details: ReadonlyMap<number, ChannelDetails>,
  addOwn?: (json: JsonBuffer, channel: ChannelRow) => void,
): Uint8Array {
  const fields = channels.map(channel => details.get(channel.id)?.fields ?? channelFields(directory, channel))
  const own = addOwn ? roomForOwn : 1
  const size = fields.reduce((sum, { length }) => sum + length + own, 2)
  const json = new JsonBuffer(jsonBuffers, size).text('[')
  for (let i = 0; i < fields.length; i++) {
    const bytes = fields[i] as Uint8Array
    // The first one without the comma.
    json.bytes(i === 0 ? bytes.subarray(1) : bytes)
    addOwn?.(json, channels[i] as ChannelRow)
    json.byte(closingBrace)
  }
  return json.text(']').done()
}
