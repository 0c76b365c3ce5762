import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { messageObject } from '../../../shared/resources/message.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { type EncodedPage, encodedPage, sharesMessages } from '../../lookups/encoded-page.js'
import { loadReader } from '../../lookups/load-reader.js'
import { onMessages, resolveNarrow, withIds } from '../../narrow/access/resolve.js'
import { narrowParam } from '../../narrow/grammar/narrow-param.js'
import { type Narrow, searchesOf } from '../../narrow/sql/narrow-sql.js'
import { boolean, integer, json, list, text } from '../../params/schemas.js'
import type { Reader } from '../../policies/reading.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import type { ISql } from '../../store/driver/db.js'
import { highlights } from '../../store/pages/message-highlights.js'
import { messageIds, pageSource } from '../../store/pages/message-pages.js'
import { type PageState, pageState } from '../../store/pages/page-states.js'
import { JsonFields, route } from '../route.js'
import { anchorParam, dateOfAnchor, excludedAnchor, findAnchor } from './anchor.js'
import { fetchPage, type Page, pageOf, stretches } from './page.js'

// The sum is checked, too.
const pageSize = () => integer({ min: 0 }).meta({ maximum: limits.messages_per_fetch })

const params = z.object({
  anchor: anchorParam().optional(),
  anchor_date: text().optional().describe('With the anchor `date`: ISO 8601.'),
  include_anchor: boolean().default(true).describe('Whether the result contains the message at the anchor.'),
  num_before: pageSize().default(0).describe('How many messages below the anchor; with `num_after` at most 5,000.'),
  num_after: pageSize().default(0).describe('How many messages above the anchor; with `num_before` at most 5,000.'),
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
  isTool: true,
  params,
  requires: [
    {
      when: { message_ids: 'given' },
      noneOf: ['anchor', 'num_before', 'num_after', 'use_first_unread_anchor'],
      refusal(given) {
        const parameters = [...given, 'message_ids'].join(', ')
        return badRequest(`Unsupported parameter combination: ${parameters}`, { parameters })
      },
    },
    { anyOf: ['anchor', 'use_first_unread_anchor', 'message_ids'], refusal: "Missing 'anchor' argument." },
    ...dateOfAnchor,
    excludedAnchor,
  ],
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
    const reader = await loadReader(ctx, actor)
    requireSpectatorAccess(ctx.directory, actor)
    const narrow = await resolveNarrow(ctx, ctx.sql, reader, params.narrow)
    const isMany = (params.message_ids?.length ?? params.num_before + params.num_after) > fewMessages
    const work = () => onMessages(ctx, narrow, sql => messagesOf({ ctx, sql, reader, narrow, params }))
    return isMany ? ctx.workLimits.answersOfMany.run(work) : work()
  },
})

function requirePossible(params: Params): void {
  const { message_ids, num_before, num_after } = params
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

async function messagesOf(call: Call): Promise<JsonFields> {
  const { params } = call
  const { ids, state, ...found } = await find(call)
  const { ids: shown, bytes } = await pageAround(call, found.anchor ?? 0, ids, state)
  // Messages beyond the byte budget are left out, and the page then ends at the last one that fits.
  const whole = {
    ...found,
    ...(!params.message_ids && {
      found_oldest: found.found_oldest && shown.at(0) === ids.at(0),
      found_newest: found.found_newest && shown.at(-1) === ids.at(-1),
    }),
    history_limited: false,
  }
  return new JsonFields('"messages":[', bytes, `],${JSON.stringify(whole).slice(1, -1)}`)
}

interface Found extends Page {
  readonly anchor?: number
  /** Read with the ids, if the narrow is one place. */
  readonly state?: PageState
}

async function find({ ctx, sql, reader, narrow, params }: Call): Promise<Found> {
  if (params.message_ids) {
    const one = { limit: params.message_ids.length, newestFirst: false }
    const ids = await messageIds(sql, withIds(ctx, reader, narrow, params.message_ids), [one])
    return { ids, found_anchor: false, found_oldest: false, found_newest: false }
  }
  const anchor = await findAnchor(sql, narrow, params)
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = params
  const request = { anchor, includeAnchor, before, after }
  const source = sharesMessages(ctx, reader) ? pageSource(narrow, stretches(request)) : undefined
  if (!source) return { anchor, ...(await fetchPage(sql, narrow, request)) }
  const state = await pageState(sql, reader.userId, source)
  return { anchor, ...pageOf(request, state.ids), state }
}

const formOf = (params: Params) => ({ ...params, empty_topic_name: params.allow_empty_topic_name })

async function pageAround(
  { ctx, sql, reader, narrow, params }: Call,
  near: number,
  ids: readonly number[],
  state: PageState | undefined,
): Promise<EncodedPage> {
  const searches = searchesOf(narrow)
  const isSearch = searches.length > 0
  // A search returns matching text a second time, with highlights.
  const most = isSearch ? budgets.answerBytes.most / 2 : budgets.answerBytes.most
  const matchesOf = isSearch ? (shown: readonly number[]) => highlights(sql, shown, searches) : undefined
  return encodedPage({ ctx, sql, reader, form: formOf(params), most, near, matchesOf }, ids, state)
}
