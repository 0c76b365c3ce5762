import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { loadReader } from '../../lookups/load-reader.js'
import { onMessages, resolveNarrow, withIds } from '../../narrow/access/resolve.js'
import { narrowParam } from '../../narrow/grammar/narrow-param.js'
import { type Narrow, searchesOf } from '../../narrow/sql/narrow-sql.js'
import { boolean, json, list } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import type { Reader } from '../../policies/reading.js'
import { realmSetting } from '../../policies/settings.js'
import { shownEdits } from '../../presenters/message-answers.js'
import type { ISql } from '../../store/driver/db.js'
import { answerMessages } from '../../store/messages/message-rows.js'
import { type Highlights, highlights } from '../../store/pages/message-highlights.js'
import { messageIds } from '../../store/pages/message-pages.js'
import { route } from '../route.js'

export const matchesNarrow = route({
  operation: 'matches_narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  doc: 'Returns which of some messages are in a narrow, for clients that show a search while new messages arrive.',
  allow: anyAccount,
  params: z.object({
    msg_ids: json(list(z.int(), limits.messages_per_fetch)).describe('The messages.'),
    narrow: narrowParam(),
    allow_empty_topic_name: boolean()
      .default(false)
      .describe('False: the empty topic has its display name in `match_subject`.'),
  }),
  returns: z.object({
    messages: z
      .record(
        z.string(),
        z.object({
          match_content: z.string().optional().describe('HTML; only where the narrow has a search.'),
          match_subject: z.string().optional().describe('HTML; only where the narrow has a search.'),
        }),
      )
      .describe('By id, those that match.'),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
  async handle({ ctx, actor, params }) {
    const reader = await loadReader(ctx, actor)
    const narrow = withIds(ctx, reader, await resolveNarrow(ctx, ctx.sql, reader, params.narrow), params.msg_ids)
    const emptyTopic = params.allow_empty_topic_name ? '' : realmSetting(ctx.directory, 'empty_topic_display_name')
    return { messages: await onMessages(ctx, narrow, sql => matches(ctx, sql, reader, { narrow, emptyTopic })) }
  },
})

async function matches(
  ctx: Ctx,
  sql: ISql,
  reader: Reader,
  { narrow, emptyTopic }: { readonly narrow: Narrow; readonly emptyTopic: string },
): Promise<Record<string, Partial<Highlights>>> {
  const ids = await messageIds(sql, narrow, [{ limit: limits.messages_per_fetch, newestFirst: false }])
  const searches = searchesOf(narrow)
  if (ids.length === 0 || searches.length === 0) return Object.fromEntries(ids.map(id => [id, {}]))
  const room = {
    near: 0,
    bytes: budgets.answerBytes.most / 2,
    edits: shownEdits(ctx),
    texts: 'rendered_content',
  } as const
  const rows = await answerMessages(sql, reader.userId, ids, room)
  // A match that is left out would look like a message that does not match.
  if (rows.length < ids.length) throw badRequest('The messages are too long for one answer')
  const found = await highlights(sql, ids, searches)
  return Object.fromEntries(
    rows.map(({ id, channel_id, topic }) => {
      const match = found.get(id)
      return [id, channel_id !== null && topic === '' ? { ...match, match_subject: emptyTopic } : { ...match }]
    }),
  )
}
