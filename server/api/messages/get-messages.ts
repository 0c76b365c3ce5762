import { z } from 'zod'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { type MessageObject, messageObject } from '../../../shared/resources/message.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { knownToReader } from '../../lookups/known-to-reader.js'
import { loadReader } from '../../lookups/load-reader.js'
import { boolean, integer, json, list, text } from '../../params/schemas.js'
import type { Reader } from '../../policies/reading.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { messageAnswers, shownEdits } from '../../presenters/message-answers.js'
import type { ISql } from '../../store/db.js'
import { highlights } from '../../store/message-highlights.js'
import { messageIds } from '../../store/message-pages.js'
import { answerMessages } from '../../store/message-rows.js'
import type { Narrow } from '../../store/narrow-sql.js'
import { route } from '../route.js'
import { findAnchor } from './anchor.js'
import { onMessages, resolveNarrow, withIds } from './narrow.js'
import { narrowParam } from './narrow-param.js'
import { fetchPage } from './page.js'

const params = z.object({
  anchor: text().optional().describe('`newest`, `oldest`, `first_unread`, `date`, or the id of a message.'),
  anchor_date: text().optional().describe('With the anchor `date`: ISO 8601.'),
  include_anchor: boolean().default(true).describe('Whether the result contains the message at the anchor.'),
  num_before: integer({ min: 0 }).default(0).describe('How many messages below the anchor.'),
  num_after: integer({ min: 0 }).default(0).describe('How many messages above the anchor.'),
  narrow: narrowParam().default([]),
  client_gravatar: boolean().default(true).describe('The client computes third-party pictures itself.'),
  apply_markdown: boolean().default(true).describe('HTML instead of the Markdown source.'),
  use_first_unread_anchor: boolean().default(false).describe('Older form of the anchor `first_unread`.'),
  message_ids: json(list(z.int(), limits.messages_per_fetch))
    .optional()
    .describe('Return only these messages, without an anchor.'),
  allow_empty_topic_name: boolean()
    .default(false)
    .describe('False: the empty topic has its display name in the answer.'),
})
// Most pages have at most this many messages.
const fewMessages = 100

type Params = z.output<typeof params>

export const getMessages = route({
  operation: 'get_messages',
  method: 'GET',
  path: '/messages',
  doc: 'Returns the messages of a narrow around an anchor, or single messages, by ascending id.',
  allow: 'optional',
  params,
  returns: z.object({
    messages: z.array(messageObject),
    anchor: z.int().optional(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'UNAUTHORIZED'],
  async handle({ ctx, actor, params }) {
    requirePossible(params)
    const reader = await loadReader(ctx, ctx.sql, actor)
    requireSpectatorAccess(ctx.directory, actor)
    const narrow = await resolveNarrow(ctx, ctx.sql, reader, params.narrow)
    const isMany = (params.message_ids?.length ?? params.num_before + params.num_after) > fewMessages
    const work = () => onMessages(ctx, narrow, sql => messagesOf({ ctx, sql, reader, narrow, params }))
    return { ...(await (isMany ? ctx.workLimits.answersOfMany.run(work) : work())), history_limited: false }
  },
})

function requirePossible(params: Params): void {
  const { message_ids, num_before, num_after } = params
  if (message_ids) {
    const others = (['anchor', 'num_before', 'num_after', 'use_first_unread_anchor'] as const).filter(
      name => params[name],
    )
    if (others.length > 0) {
      const parameters = [...others, 'message_ids'].join(', ')
      throw new ApiError('BAD_REQUEST', `Unsupported parameter combination: ${parameters}`, { parameters })
    }
  } else if (!params.include_anchor && num_before > 0 && num_after > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range')
  }
  if ((message_ids?.length ?? num_before + num_after) > limits.messages_per_fetch) {
    throw badRequest(`Too many messages requested (maximum ${limits.messages_per_fetch}).`)
  }
}

interface Call {
  readonly ctx: Ctx
  readonly sql: ISql
  readonly reader: Reader
  readonly narrow: Narrow
  readonly params: Params
}

async function messagesOf(call: Call) {
  const { params } = call
  const { ids, ...found } = await find(call)
  const messages = await answer(call, ids, 'anchor' in found ? found.anchor : 0)
  if (params.message_ids) return { messages, ...found }
  // Messages beyond the byte budget are left out, and the page then ends at the last one that fits.
  const [first, last] = [messages.at(0)?.id, messages.at(-1)?.id]
  return {
    messages,
    ...found,
    found_oldest: found.found_oldest && first === ids.at(0),
    found_newest: found.found_newest && last === ids.at(-1),
  }
}

async function find({ ctx, sql, reader, narrow, params }: Call) {
  if (params.message_ids) {
    const one = { limit: params.message_ids.length, newestFirst: false }
    const ids = await messageIds(sql, withIds(ctx, reader, narrow, params.message_ids), [one])
    return { ids, found_anchor: false, found_oldest: false, found_newest: false }
  }
  const anchor = await findAnchor(sql, narrow, params)
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = params
  return { anchor, ...(await fetchPage(sql, narrow, { anchor, includeAnchor, before, after })) }
}

async function answer({ ctx, sql, reader, narrow, params }: Call, ids: readonly number[], near: number) {
  if (ids.length === 0) return []
  const searches = narrow.conditions.flatMap(one => (one.kind === 'search' && !one.negated ? [one.text] : []))
  // A search returns matching text a second time, with highlights.
  const bytes = searches.length > 0 ? budgets.answerBytes.most / 2 : budgets.answerBytes.most
  const texts = params.apply_markdown ? 'rendered_content' : 'content'
  const room = { near, bytes, edits: shownEdits(ctx), texts } as const
  const rows = await answerMessages(sql, reader.userId, ids, room)
  const shown = rows.map(row => row.id)
  const matches = searches.length > 0 ? await highlights(sql, shown, searches) : null
  const form = { ...params, empty_topic_name: params.allow_empty_topic_name }
  const known = await knownToReader(ctx, ctx.sql, reader.user, rows)
  const messages: MessageObject[] = messageAnswers(ctx, rows, form, known)
  return matches ? messages.map(message => ({ ...message, ...matches.get(message.id) })) : messages
}
