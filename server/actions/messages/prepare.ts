import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { currentUser } from '../../lookups/find-user.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { Directory } from '../../memory/directory.js'
import { mutersBySender } from '../../policies/muted-users.js'
import type { Emission, Emit } from '../../realtime/emission.js'
import { encodeEmission } from '../../realtime/encoding/index.js'
import type { Tx } from '../../store/driver/db.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import type { Claim } from '../../store/jobs/jobs.js'
import { idempotencyKey, type RequestKey } from '../../store/messages/idempotency-keys.js'
import { flagBit } from '../../store/messages/message-flags.js'
import type { DueRow, NewMessage } from '../../store/messages/messages.js'
import { submessageBytes } from '../../store/messages/submessages.js'
import type { UserRow } from '../../store/users/users.js'
import { checkContent } from '../../text/content.js'
import { RENDERER_VERSION, type Rendered } from '../../text/markdown.js'
import { searchVector } from '../../text/search/vector.js'
import { formOf, widgetOf } from '../../text/widgets.js'
import { asksForStart, policiesOf, type SentPolicies } from '../topics/follow-sent.js'
import { conversationOf } from './begin-conversation.js'
import { type Destination, findDestination } from './destination.js'
import { findMentioned, type Mentioned } from './mentions.js'
import { messageEntries } from './message-entries.js'
import type { To } from './recipients.js'
import { type RenderedFor, renderFor } from './render.js'

/** A message that a user or the server wants to send. */
export interface Sending {
  readonly senderId: number
  /** The client program. */
  readonly client: string
  readonly to: To
  /** The text as given; checkContent validates and trims it. */
  readonly content: string
  readonly readBySender: boolean
  /** JSON text of a form that clients show in place of the text (docs/protocol/widgets.md#forms). */
  readonly form?: string
  /** Marks the message read for all users but these; ids ascending. */
  readonly readByAllBut?: readonly number[]
  /** Its receivers get it with a star. */
  readonly isStarred?: boolean
  /** The job whose work the message is; it ends in the transaction that stores the message. */
  readonly ends?: Claim
  /** What the message was until now. The transaction deletes it, and nothing is stored if it is gone; `removal` follows the message. */
  readonly due?: { readonly row: DueRow; readonly removal: Emission }
  /** Further changes of the transaction that stores the message; their events follow that of the message. */
  readonly alongside?: (tx: Tx, emit: Emit, stored: { readonly id: number; readonly after: After }) => Promise<void>
  /**
   * Adds the client's own id of the message to the event in this queue of the sender. A second send with the same values within
   * `keyLifetimeMinutes` stores nothing.
   */
  readonly local?: { readonly queueId: string; readonly localId: string }
  /** The key of the request, which counts in place of `local`. */
  readonly key?: RequestKey
}

export interface PreparedMessage extends NewMessage {
  /** Null for a direct message. */
  readonly policies: SentPolicies | null
  readonly alongside: Sending['alongside']
  /** Ids of pictures that the message shows as placeholders. */
  readonly awaitedPictures: readonly number[]
}

/** A message whose entries are encoded last, from its row. */
type Prepared = Omit<PreparedMessage, 'entries'> & { entries: readonly Uint8Array[] }

/** What sending checks of a message, and what it finds. */
interface Examined {
  readonly sender: UserRow
  /** The text without trailing white space, cut to the limit. */
  readonly text: string
  readonly destination: Destination
  readonly rendered: RenderedFor
  readonly mentioned: Mentioned
}

/** Checks all that sending a message checks. `tx`: as for `prepareMessage`. @throws {ApiError} */
export async function examineMessage(
  ctx: Ctx,
  { senderId, to, content }: Pick<Sending, 'senderId' | 'to' | 'content'>,
  tx: Tx | null = null,
): Promise<Examined> {
  const sql = tx ?? ctx.sql
  const sender = currentUser(ctx.directory, { id: senderId })
  const checked = checkContent(content)
  if (!checked.ok) {
    throw badRequest(
      checked.problem === 'content_empty' ? 'Message must not be empty' : 'Message must not contain null bytes',
    )
  }
  const { text } = checked
  const destination = await findDestination(ctx, tx, sender, to)
  const channelId = destination.channel?.id ?? null
  const rendered = await renderFor(ctx, sql, { authorId: sender.id, content: text, channelId })
  const place = channelId === null ? null : { channelId, topic: destination.topic }
  const { audience } = destination
  const mentioned = await findMentioned(ctx, sql, sender, { rendered, place, audience, content: text })
  return { sender, text, destination, rendered, mentioned }
}

/**
 * Checks a message and computes its row and its events. `tx`: a transaction that holds the organization and the channel; it needs no other
 * connection, which the transactions that wait for these locks may all have. @throws {ApiError}
 */
export async function prepareMessage(ctx: Ctx, sending: Sending, tx: Tx | null = null): Promise<PreparedMessage> {
  const sql = tx ?? ctx.sql
  // Read first: if the directory changes during the preparation, the insert finds another version and the message is prepared again.
  const organizationVersion = ctx.directory.version
  const { sender, text, destination, rendered, mentioned } = await examineMessage(ctx, sending, tx)
  const widget = sending.form === undefined ? widgetOf(text) : formOf(sending.form)
  const place = destination.channel && { channelId: destination.channel.id, topic: destination.topic }
  const unread = withFlag(mentioned.bits, flagBit.ownUnread, sending.readByAllBut ?? [])
  const starrers = sending.isStarred ? destination.audience.filter(id => id !== sender.id) : []
  const bits = withFlag(unread, flagBit.starred, starrers)
  const readerIds = mutersAmong(ctx.directory, sender.id, destination.audience)
  const policies =
    place &&
    policiesOf(ctx, sender, { topic: place, isMuted: destination.isMuted, mentioned: namedOf(rendered, destination) })
  // One literal: a spread of the row would copy the object for each further field, 16 kB and a tenth of a send's time.
  const message: Prepared = {
    sender_id: sender.id,
    channel_id: destination.channel?.id ?? null,
    // Created last: a refused message must not create a conversation.
    conversation_id: destination.channel ? null : await conversationOf(ctx, tx, destination.userIds),
    topic: destination.topic,
    content: text,
    rendered_content: rendered.html,
    date_sent: new Date(ctx.clock.now()),
    client: sending.client,
    read_by_sender: sending.readBySender,
    read_by_all: sending.readByAllBut !== undefined,
    is_me_message: rendered.isMeMessage,
    wildcard_mentions: mentioned.wildcards,
    renderer_version: RENDERER_VERSION,
    search: searchVector(rendered.html, destination.topic, wordStems(ctx)),
    submessage_bytes: widget === undefined ? 0 : submessageBytes(widget),
    widget,
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    has_attachment: rendered.hasAttachment,
    flags: [...bits].map(([userId, flags]) => ({ userId, flags })),
    readerIds,
    attachmentIds: rendered.attachmentIds,
    awaitedPictures: rendered.awaitedPictures,
    awaitsWebsites: rendered.unreadWebsites.length > 0,
    entries: [],
    organizationVersion,
    channelVersion: destination.channel?.version ?? 0,
    subscribersVersion: destination.subscribersVersion,
    policies,
    requestKey: keyOf(sending),
    ends: sending.ends,
    dueRow: sending.due?.row,
    alongside: sending.alongside,
    trace: ctx.trace,
    asksForStart: policies !== null && asksForStart(policies) && !isKnownToHaveMessages(ctx, destination),
  }
  const { local, due } = sending
  const entries = await messageEntries(ctx, sql, {
    row: message,
    sender,
    destination,
    bits,
    readerIds,
    widget,
    local,
  })
  message.entries = due ? [...entries, encodeEmission(due.removal)] : entries
  return message
}

/** Receivers who muted the sender, ascending. */
function mutersAmong(directory: Directory, senderId: number, audience: readonly number[]): readonly number[] {
  const muters = directory.derived(mutersBySender).get(senderId)
  return muters ? muters.filter(id => holdsId(audience, id)) : []
}

/** The key by which a repeated send is recognized; undefined: it is a second message. */
export const keyOf = ({ senderId, local, key }: Sending): RequestKey | undefined =>
  key ?? (local && { key: idempotencyKey(senderId, local.queueId, local.localId) })

/** Adds a flag of these users. */
function withFlag(
  given: ReadonlyMap<number, number>,
  flag: number,
  userIds: readonly number[],
): ReadonlyMap<number, number> {
  if (userIds.length === 0) return given
  const bits = new Map(given)
  for (const id of userIds) bits.set(id, (bits.get(id) ?? 0) | flag)
  return bits
}

/** Ids of receivers that the message mentions by name. */
const namedOf = ({ mentions }: Rendered, { audience }: Destination): number[] =>
  mentions.userIds.filter(id => holdsId(audience, id))

/** In a channel with protected history a topic may be new to one user and known to another. */
function isKnownToHaveMessages({ memory }: Ctx, { channel, topic }: Destination): boolean {
  if (!channel?.history_public_to_subscribers) return false
  return memory.knownTopics.hasMessages({ channelId: channel.id, topic })
}
