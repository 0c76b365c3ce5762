import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { settableFlags } from '../../../shared/resources/message.js'
import { changeFlags } from '../../actions/messages/flags.js'
import { loadReader } from '../../lookups/load-reader.js'
import { onMessages, resolveNarrow } from '../../narrow/access/resolve.js'
import { narrowParam } from '../../narrow/grammar/narrow-param.js'
import { boolean, integer, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { anchorParam, dateOfAnchor, excludedAnchor, findAnchor } from './anchor.js'
import { fetchPage } from './page.js'

export const updateMessageFlagsNarrow = route({
  operation: 'update_message_flags_narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  doc: 'Sets or clears one of your flags on the messages of a narrow around an anchor. The server shortens a range that is too long.',
  allow: anyAccount,
  params: z.object({
    anchor: anchorParam(),
    include_anchor: boolean().default(true).describe('Whether to include the message at the anchor.'),
    num_before: integer({ min: 0 }).describe('How many messages below the anchor.'),
    num_after: integer({ min: 0 }).describe('How many messages above the anchor.'),
    narrow: narrowParam(),
    op: word('add', 'remove').describe('Set or clear.'),
    flag: word(...settableFlags).describe('Clients cannot set other flags.'),
    anchor_date: text().optional().describe('With the anchor `date`: ISO 8601.'),
  }),
  requires: [...dateOfAnchor, excludedAnchor],
  returns: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: z.array(z.int()),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
  async handle({ ctx, actor, params }) {
    const { include_anchor: includeAnchor, op, flag } = params
    const before = Math.min(params.num_before, limits.messages_per_fetch)
    const after = Math.min(params.num_after, limits.messages_per_fetch - before)
    const reader = await loadReader(ctx, actor)
    const narrow = await resolveNarrow(ctx, ctx.sql, reader, params.narrow)
    const page = await onMessages(ctx, narrow, async sql => {
      const anchor = await findAnchor(sql, narrow, params)
      return await fetchPage(sql, narrow, { anchor, includeAnchor, before, after })
    })
    const areUnread = narrow.conditions.some(({ kind, negated }) => kind === 'unread' && !negated)
    const { changed, ignoredChannels } = await changeFlags(
      ctx,
      reader,
      { op, flag },
      {
        ids: page.ids,
        state: areUnread ? 'unread' : 'probably unread',
      },
    )
    return {
      processed_count: page.ids.length,
      updated_count: changed.length,
      first_processed_id: page.ids[0] ?? null,
      last_processed_id: page.ids.at(-1) ?? null,
      found_oldest: page.found_oldest,
      found_newest: page.found_newest,
      ignored_because_not_subscribed_channels: ignoredChannels,
    }
  },
})
