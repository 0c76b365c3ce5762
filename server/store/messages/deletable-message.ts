import type { ISql } from '../driver/db.js'
import { isVersion } from '../organization/organization.js'
import type { Parts } from '../organization/outbox.js'
import { type OpenedMessage, type Versioned, version } from './open-message.js'

/** What `openMessage` reads with `deletable`. */
export interface Deletable extends Versioned {
  readonly date_sent: Date
  readonly uses_files: boolean
  /** Whether the channel is known to have an earlier message; true in a conversation. */
  readonly is_later: boolean
}

export type DeletableMessage = OpenedMessage & Deletable

export const deletable = (sql: ISql): Parts => sql`
  ${version(sql)}, m.date_sent, exists (select from attachment_uses where message_id = m.id) as uses_files,
  m.channel_id is null or coalesce(channels.first_message_id < m.id, false) as is_later`

/**
 * The parts `checked` and `done` of `storeWithEvents`: move the message to the archive, if it, the organization, its channel and the channel's subscribers are
 * unchanged since it was opened, and the channel still has an earlier message. Reactions, flags and history go to the archive with it.
 */
export function deleteOpened(
  sql: ISql,
  message: DeletableMessage,
  { deleterId, version: organizationVersion }: { readonly deleterId: number; readonly version: number },
): Parts {
  const { id, channel_id, row_version, channel_version, subscribers_version } = message
  const isSame = sql`id = ${id} and xmin = ${String(row_version)}::xid`
  const done = sql`
    checked as materialized (select id from held where ${isVersion(sql, organizationVersion)}),
    done as materialized (
      select archive_messages(array_agg(id), ${deleterId}::int) as archived from checked having count(*) > 0
    )`
  if (channel_id === null)
    return sql`held as materialized (select id from messages where ${isSame} for no key update), ${done}`
  return sql`
    place as materialized (
      select version, subscribers_version, first_message_id from channels where id = ${channel_id} for share
    ),
    held as materialized (
      select id from messages
      where ${isSame} and (select first_message_id from place) < id
        and (${channel_version}::bigint, ${subscribers_version}::bigint) = (select version, subscribers_version from place)
      for no key update
    ), ${done}`
}
