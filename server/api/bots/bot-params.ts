import { z } from 'zod'
import { json, readWord, shortId, text } from '../../params/schemas.js'

// Programs of all kinds have such an address in their settings, so no character of it needs quotes there.
const shortNamePattern = /^[A-Za-z0-9._-]+$/

export const botId = () => shortId().describe('The bot.')
export const shortName = () =>
  text(64)
    .meta({ pattern: shortNamePattern.source })
    .refine(name => shortNamePattern.test(name), 'Only letters, digits, dots, dashes and underscores.')

const mostAddress = 2000

/** An address of the bot's server, raw or JSON-quoted. */
export const serverUrl = () =>
  z.preprocess(readWord, z.url({ protocol: /^https?$/, error: 'Not an address of http: or https:.' }).max(mostAddress))
export const serviceUrl = () => serverUrl().optional()
export const serviceInterface = () => json(z.literal([1, 2])).default(1)
export const channelName = () => text().optional()

/** What may be configured of a bot in the answers of its operations. */
export const defaultsFields = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
}
