import { z } from 'zod'
import { budgets } from '../../config/budgets.js'
import { loadReader } from '../../lookups/load-reader.js'
import { searchMeant } from '../../lookups/meant-search.js'
import { onMessages, resolveNarrow } from '../../narrow/access/resolve.js'
import { narrowParam } from '../../narrow/grammar/narrow-param.js'
import { soughtWords } from '../../narrow/sql/narrow-sources.js'
import { integer } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { messageIds } from '../../store/pages/message-pages.js'
import { mostRelevant } from '../../store/pages/message-search.js'
import { route } from '../route.js'

const mostCounted = budgets.countedMatches.most

export const getSearchSummary = route({
  operation: 'get_search_summary',
  method: 'GET',
  path: '/messages/search_summary',
  doc: 'Returns how many messages a narrow has, the most relevant of them, and what a search without messages may have meant.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    narrow: narrowParam(),
    num_relevant: integer({ min: 0, max: 100 }).default(0).describe('How many of the most relevant messages to name.'),
  }),
  returns: z.object({
    count: z.int().describe('At most 1,000.'),
    has_more: z.boolean().describe('There are more messages than `count`.'),
    relevant: z
      .array(z.int())
      .describe('Ids of the most relevant messages among the newest 1,000 of the narrow, the best ones first.'),
    meant: z
      .string()
      .optional()
      .describe('A text to search for that finds messages, if the one in the narrow finds none.'),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
  async handle({ ctx, actor, params }) {
    const narrow = await resolveNarrow(ctx, ctx.sql, await loadReader(ctx, actor), params.narrow)
    return onMessages(ctx, narrow, async sql => {
      const ids = await messageIds(sql, narrow, [{ limit: mostCounted + 1, newestFirst: true }])
      const counted = ids.slice(-mostCounted)
      const ranking = { words: soughtWords(narrow), limit: params.num_relevant }
      const meant = ids.length === 0 ? await searchMeant(sql, narrow) : undefined
      return {
        count: counted.length,
        has_more: ids.length > mostCounted,
        relevant: params.num_relevant > 0 ? await mostRelevant(sql, counted, ranking) : [],
        ...(meant !== undefined && { meant }),
      }
    })
  },
})
