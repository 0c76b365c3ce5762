import { z } from 'zod'
import { capabilityNames } from '../../../shared/capabilities.js'
import { limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import { narrowJson } from '../../narrow/grammar/narrow-param.js'
import { boolean, cutList, integer, json, list, text } from '../../params/schemas.js'

// Only known capabilities have to be boolean: a client may declare others.
const capabilities = z.object(
  Object.fromEntries(capabilityNames.map(name => [name, z.boolean().default(false)])) as Record<
    (typeof capabilityNames)[number],
    z.ZodDefault<z.ZodBoolean>
  >,
)

const termText = text()

const types = json(list(text(), budgets.eventTypes.most).nullable()).optional()

/** In the order in which the server checks them (docs/protocol/register.md#parameters). */
export const registerParams = z.object({
  apply_markdown: boolean().default(false).describe('Message events contain HTML instead of the Markdown source.'),
  client_gravatar: boolean()
    .optional()
    .describe('The client computes the addresses of third-party pictures; default: true, for spectators false.'),
  include_subscribers: json(z.union([z.boolean(), z.enum(['true', 'false', 'partial'])]))
    .default('false')
    .transform(value => String(value) as 'true' | 'false' | 'partial')
    .describe('Whether channels have lists of subscribers; `partial`: partial lists for large channels.'),
  slim_presence: boolean().default(false).describe('Presences by user id, in the modern form.'),
  slim_users: boolean()
    .default(false)
    .describe('Users without profile data, and with the address of a picture only if it was uploaded.'),
  presence_history_limit_days: integer({ min: 0 })
    .default(limits.presence_history_days_default)
    .describe('The number of days for which the answer contains presences; 0: none.'),
  event_types: types.describe('The types of events that the queue gets; default: all, []: none.'),
  fetch_event_types: types.describe('The types of state to return; default: `event_types`.'),
  all_public_streams: boolean()
    .optional()
    .describe('Message events of all public channels; default: a setting of the account.'),
  narrow: narrowJson(cutList(z.tuple([termText, termText]), budgets.narrowTerms.most).nullable())
    .optional()
    .describe('Pairs of operator and operand that message events have to match; default: a setting of the account.'),
  client_capabilities: json(capabilities.nullable()).optional().describe('The capabilities that the client has.'),
  idle_queue_timeout: json(z.union([z.int().min(0), z.literal('mobile')]))
    .optional()
    .describe(
      'Idle timeout in seconds: without a consumer for this time, the queue is evicted; mobile clients use 43200.',
    ),
})

export type RegisterParams = z.output<typeof registerParams>
