import { z } from 'zod'
import { settableFlags } from '../../../shared/resources/message.js'
import { changeFlags } from '../../actions/messages/flags.js'
import { budgets } from '../../config/budgets.js'
import { loadReader } from '../../lookups/load-reader.js'
import { json, list, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const updateMessageFlags = route({
  operation: 'update_message_flags',
  method: 'POST',
  path: '/messages/flags',
  doc: 'Sets or clears one of your flags on messages.',
  allow: anyAccount,
  params: z.object({
    messages: json(list(z.int().min(0), budgets.idsPerList.most)).describe('Ids of messages.'),
    op: word('add', 'remove').describe('Set or clear.'),
    flag: word(...settableFlags).describe('Clients cannot set other flags.'),
  }),
  returns: z.object({
    messages: z.array(z.int()).describe('The ids of the request, without duplicates.'),
    ignored_because_not_subscribed_channels: z
      .array(z.int())
      .describe('Channels to which you are not subscribed: their messages cannot become unread.'),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { messages, op, flag } }) {
    const reader = await loadReader(ctx, actor)
    // Clients mark messages as read that they show as unread, so all of them probably are.
    const given = { ids: messages, state: 'probably unread' } as const
    const { ignoredChannels } = await changeFlags(ctx, reader, { op, flag }, given)
    return { messages, ignored_because_not_subscribed_channels: ignoredChannels }
  },
})
