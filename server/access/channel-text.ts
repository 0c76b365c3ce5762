import type { ChannelFacts } from '../store/channel-facts.js'
import { newChannelFacts } from '../store/channel-facts.js'
import type { ChannelRow } from '../store/channels.js'
import type { Directory } from '../store/directory.js'
import { channelObject } from './channel-object.js'

/**
 * The fields of a channel as JSON text, without braces: the part that only the directory decides is encoded once per
 * generation, since thousands of channels in every register answer would block the loop.
 */
export function channelFields(directory: Directory, channel: ChannelRow, facts: ChannelFacts | undefined): string {
  const texts = directory.derived(channelTexts)
  let text = texts.get(channel.id)
  if (text === undefined) {
    const object: Record<string, unknown> = { ...channelObject(directory, channel, newChannelFacts) }
    for (const name of Object.keys(newChannelFacts)) delete object[name]
    text = fieldsText(object)
    texts.set(channel.id, text)
  }
  return `${text},${fieldsText({ ...(facts ?? newChannelFacts) })}`
}

const channelTexts = (): Map<number, string> => new Map()

/** An object's fields as JSON text, without braces. */
export const fieldsText = (fields: object): string => JSON.stringify(fields).slice(1, -1)
