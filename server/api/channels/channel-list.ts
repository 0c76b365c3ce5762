import type { Ctx } from '../../ctx.js'
import { channelFields } from '../../presenters/channel-fields.js'
import type { ChannelRow } from '../../store/channels.js'
import { JsonBuffer } from '../json-buffer.js'
import type { ChannelDetails } from './channel-details.js'

// Bytes per channel for the personal settings and the braces.
const roomForOwn = 256

/** Channels as a JSON array in UTF-8; `addOwn` adds fields to each, with a comma before them. */
export function channelList(
  { directory, jsonBuffers }: Pick<Ctx, 'directory' | 'jsonBuffers'>,
  channels: readonly ChannelRow[],
  details: ReadonlyMap<number, ChannelDetails>,
  addOwn: (json: JsonBuffer, channel: ChannelRow) => void = () => {},
): Uint8Array {
  const fields = channels.map(channel => channelFields(directory, channel, details.get(channel.id)?.facts))
  const json = new JsonBuffer(
    jsonBuffers,
    fields.reduce((sum, { length }) => sum + length + roomForOwn, 2),
  ).text('[')
  channels.forEach((channel, i) => {
    json.text(i === 0 ? '{' : ',{').bytes(fields[i] as Uint8Array)
    addOwn(json, channel)
    json.text('}')
  })
  return json.text(']').done()
}
