import { z } from 'zod'
import { integrations } from '../../integrations/index.js'
import type { StatePiece } from '../state-piece.js'

const listed = [...integrations.values()].map(({ name, displayName, eventTypes }) => ({
  name,
  display_name: displayName,
  all_event_types: eventTypes,
  config_options: [],
  url_options: [],
}))

const option = z.object({ key: z.string(), label: z.string() })

/** The services whose messages the server takes; the same for all callers. */
export const incomingWebhooksPiece: StatePiece = {
  fetchType: 'realm_incoming_webhook_bots',
  fields: {
    realm_incoming_webhook_bots: z
      .array(
        z.object({
          name: z.string().describe('The last part of its address.'),
          display_name: z.string(),
          all_event_types: z.array(z.string()).nullable().describe('Events that an address may leave out; null: none.'),
          config_options: z.array(option.extend({ validator: z.string() })),
          url_options: z.array(option.extend({ input_type: z.string() })),
        }),
      )
      .describe('Services that send messages to `/api/v1/external/{name}`.'),
  },
  read: async () => ({ realm_incoming_webhook_bots: listed }),
}
