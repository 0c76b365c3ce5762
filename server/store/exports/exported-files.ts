import type { ISql } from '../driver/db.js'
import { type ExportScope, hasMessage, isListed } from './export-scope.js'

/** An uploaded file that an export contains. */
export interface ExportedFile {
  readonly id: number
  readonly user_id: number
  readonly path_id: string
  readonly size: number
  /** UNIX seconds. */
  readonly created: number
  readonly content_type: string
  /** A message that uses it is new in an export that builds on an earlier one. */
  readonly is_new: boolean
  /** JSON object with the fields of the archive. */
  readonly text: string
}

const together = 200

/** Files that exported messages use, and those of accounts whose private data the export contains; in the order of their ids above `after`. */
export async function* exportedFiles(sql: ISql, scope: ExportScope, after: number): AsyncGenerator<ExportedFile> {
  for (let from = after; ; ) {
    const files = await sql<ExportedFile[]>`
      select a.id, a.user_id, a.path_id, a.size, extract(epoch from a.created)::float8 as created, a.content_type,
        ${scope.since === 0}::boolean or used.ids[cardinality(used.ids)] > ${scope.since} as is_new,
        json_build_object(
          'id', a.id, 'file_name', a.name, 'path_id', a.path_id, 'owner', a.user_id, 'realm', 1,
          'create_time', extract(epoch from a.created), 'size', a.size, 'content_type', a.content_type,
          'is_realm_public', exists (
            select from unnest(used.ids) as one (id) join messages m using (id) join channels c on c.id = m.channel_id where not c.invite_only
          ),
          'is_web_public', exists (
            select from unnest(used.ids) as one (id) join messages m using (id) join channels c on c.id = m.channel_id where c.is_web_public
          ),
          'messages', used.ids,
          'scheduled_messages', array(
            select s.id from scheduled_messages s where a.id = any(s.file_ids) and (${isListed(sql, 's.user_id', scope.accounts)}) order by 1
          )
        )::text as text
      from attachments a cross join lateral (
        select array(
          select m.id from attachment_uses u join messages m on m.id = u.message_id
          where u.attachment_id = a.id and m.id <= ${scope.cut} and ${hasMessage(sql, scope)} order by m.id
        ) as ids
      ) used
      where a.id > ${from} and (cardinality(used.ids) > 0 or ${isListed(sql, 'a.user_id', scope.accounts)})
      order by a.id limit ${together}`
    yield* files
    const last = files.at(-1)
    if (!last) return
    from = last.id
  }
}
