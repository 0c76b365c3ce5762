import type { MessageForm } from '../../shared/resources/message.js'
import type { Ctx } from '../ctx.js'
import type { EncodedMessage } from '../memory/encoded-messages.js'
import type { Reader } from '../policies/reading.js'
import { seesAllUsers } from '../policies/users.js'
import { flagFactsOf, messageWithoutFlags, settingsShown, shownEdits } from '../presenters/message-answers.js'
import type { ISql } from '../store/driver/db.js'
import { type FlagFacts, flagNames } from '../store/messages/message-flags.js'
import {
  type AnswerMessage,
  type AnswerRoom,
  allAnswerMessages,
  answerMessages,
} from '../store/messages/message-rows.js'
import type { Highlights } from '../store/pages/message-highlights.js'
import { flagFacts, type PageState, stateOfMessages, versionOf } from '../store/pages/page-states.js'
import { knownToReader } from './known-to-reader.js'

/** A page of messages in an answer. */
export interface EncodedPage {
  readonly ids: readonly number[]
  /** The elements of the JSON list. */
  readonly bytes: Uint8Array
}

interface PageCall {
  readonly ctx: Ctx
  readonly sql: ISql
  readonly reader: Reader
  readonly form: MessageForm
  /** Most bytes of the messages, without their matches. */
  readonly most: number
  /** If not all of them fit, those with ids close to this one come first. */
  readonly near: number
  /** Returns what a search matches in these messages, by id. */
  readonly matchesOf?: (ids: readonly number[]) => Promise<ReadonlyMap<number, Highlights>>
}

/** Whether answers for this reader can be made of the bytes that readers share: the reader knows all users. */
export const sharesMessages = ({ directory }: Ctx, reader: Reader): boolean => seesAllUsers(directory, reader.user)

/** The messages of a page as JSON, those that fit. `state`: of a reader of shared messages, if it was read with the ids. */
export async function encodedPage(call: PageCall, ids: readonly number[], state?: PageState): Promise<EncodedPage> {
  const { ctx, sql, reader } = call
  if (ids.length === 0) return joined([])
  const shared = sharesMessages(ctx, reader)
    ? await sharedMessages(call, state ?? (await stateOfMessages(sql, reader.userId, ids)))
    : undefined
  const fitting = async () => (await encodedRows(call, room => answerMessages(sql, reader.userId, ids, room)))?.values()
  const shown = shared ?? [...((await fitting()) ?? [])]
  return joined(shown, await call.matchesOf?.(shown.map(one => one.encoded.message.id)))
}

/**
 * Messages for a reader of shared messages: only those that the worker has not encoded in their present version are read from the database.
 * Undefined: they do not fit into an answer.
 */
async function sharedMessages(call: PageCall, state: PageState): Promise<ShownMessage[] | undefined> {
  const { ctx, form, sql, reader } = call
  const key = keyOf(form, call.reader)
  const settings = settingsShown(ctx)
  const found = state.ids.map((id, i) =>
    ctx.memory.encodedMessages.find(id, key, state.versions[i] as string, settings),
  )
  const missing = state.ids.filter((_, i) => !found[i])
  const read = (room: AnswerRoom) => allAnswerMessages(sql, reader.userId, missing, room)
  const added = missing.length > 0 ? await encodedRows(call, read) : new Map<number, ShownMessage>()
  if (!added) return undefined
  const shown = found.flatMap((known, i): ShownMessage[] => {
    const id = state.ids[i] as number
    const message = known ? { encoded: known, flags: flagFacts(state, known.message) } : added.get(id)
    // Deleted meanwhile, or in a channel that the directory does not know yet.
    return message ? [message] : []
  })
  const size = shown.reduce((sum, { encoded }) => sum + encoded.bytes.length, 0)
  return size > call.most ? undefined : shown
}

interface ShownMessage {
  readonly encoded: EncodedMessage
  readonly flags: FlagFacts
}

/** The messages that `read` returns, by id; undefined if it returns none because they do not fit. */
async function encodedRows(
  { ctx, reader, form, most, near }: PageCall,
  read: (room: AnswerRoom) => Promise<readonly AnswerMessage[] | undefined>,
): Promise<Map<number, ShownMessage> | undefined> {
  const settings = settingsShown(ctx)
  const texts = form.apply_markdown ? 'rendered_content' : 'content'
  const rows = await read({ near, bytes: most, edits: shownEdits(ctx), texts })
  if (!rows) return undefined
  const known = await knownToReader(ctx, ctx.sql, reader.user, rows)
  // The rows contain the edits that the earlier settings show.
  const isShared = (row: AnswerMessage) =>
    sharesMessages(ctx, reader) && isSameForAll(row) && settings === settingsShown(ctx)
  return new Map(
    rows.flatMap((row): [number, ShownMessage][] => {
      const message = messageWithoutFlags(ctx, row, form, known)
      if (!message) return []
      const json = JSON.stringify(message).slice(0, -1)
      const version = versionOf(row.row_version, row.reactions?.map(one => one.id) ?? [])
      const encoded = isShared(row)
        ? ctx.memory.encodedMessages.keep(row, json, { form: keyOf(form, reader), version, settings })
        : { message: row, bytes: Buffer.from(json) }
      return [[row.id, { encoded, flags: flagFactsOf(row) }]]
    }),
  )
}

/** Which moves between channels the history shows depends on the reader. */
const isSameForAll = ({ edit_history }: AnswerMessage): boolean =>
  !edit_history?.some(entry => entry.prev_stream !== undefined)

const keyOf = ({ apply_markdown, client_gravatar, empty_topic_name }: MessageForm, { user }: Reader): string =>
  `${user ? '' : 'v'}${apply_markdown ? 'h' : 's'}${client_gravatar ? 'g' : 'a'}${empty_topic_name ? 'e' : 'd'}`

function joined(shown: readonly ShownMessage[], matches?: ReadonlyMap<number, Highlights>): EncodedPage {
  const rest = shown.map(({ encoded, flags }) => {
    const match = matches?.get(encoded.message.id)
    const matched = match ? `,${JSON.stringify(match).slice(1, -1)}` : ''
    return `,"flags":${JSON.stringify(flagNames(flags))}${matched}},`
  })
  // Names of flags are ASCII; matches can be any text.
  const encoding = matches ? 'utf8' : 'latin1'
  const sizeOf = (text: string) => (matches ? Buffer.byteLength(text) : text.length)
  const size = shown.reduce((sum, { encoded }, i) => sum + encoded.bytes.length + sizeOf(rest[i] as string), 0)
  const bytes = Buffer.allocUnsafe(size)
  let end = 0
  shown.forEach(({ encoded }, i) => {
    bytes.set(encoded.bytes, end)
    end += encoded.bytes.length
    end += bytes.write(rest[i] as string, end, encoding)
  })
  // Without the last comma.
  return { ids: shown.map(one => one.encoded.message.id), bytes: bytes.subarray(0, Math.max(0, end - 1)) }
}
