import type { ChatState, Message } from './chat-state.js'
import { personOf } from './people.js'

/** A message that was reported, as the report in the moderators' channel names it. */
interface Reported {
  readonly messageId: number
  /** The address of the message in this page. */
  readonly link: string
  /** Undefined: the account is deactivated. */
  readonly authorId: number | undefined
}

/** Whether the message is a report of the server in the moderators' channel. */
export const isReport = (state: ChatState, { stream_id, sender_id }: Message): boolean =>
  stream_id !== undefined &&
  stream_id === state.realm_moderation_request_channel_id &&
  personOf(state, sender_id)?.is_system_bot === true

// As server/text/report.ts writes it, in each language: `… reported [a message](…/near/5) of @_**Ann|3** …`.
const form =
  /<a href="(?<link>[^"]*#[^"]*\/near\/(?<messageId>\d+))">[^<]*<\/a> (?:of|von) (?:<span class="user-mention[^>]*data-user-id="(?<authorId>\d+)")?/

/** What a report is about, from its HTML. */
export function reportedIn(html: string): Reported | undefined {
  const { link, messageId, authorId } = form.exec(html)?.groups ?? {}
  if (link === undefined) return undefined
  return { link, messageId: Number(messageId), authorId: authorId === undefined ? undefined : Number(authorId) }
}

/** Whether people can report messages, which moderators read in a channel. */
export const takesReports = (state: ChatState): boolean => state.realm_moderation_request_channel_id > 0
