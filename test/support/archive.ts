import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import type { Sql } from '../../server/store/driver/db.js'
import { zipOf } from './zip.js'

/** Files of an archive by their names; what is neither a text nor bytes is written as JSON. */
export type ArchiveFiles = Readonly<Record<string, unknown>>

/** Writes a ZIP archive into the folder, and returns its path. */
export async function writeArchive(folder: string, name: string, files: ArchiveFiles): Promise<string> {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  }))
  const file = join(folder, name)
  await writeFile(file, zipOf(entries))
  return file
}

/** The same as a tar archive that gzip has packed, with a folder around all. */
export async function writeTarArchive(folder: string, name: string, files: ArchiveFiles): Promise<string> {
  const entries = Object.entries(files).map(([name, content]) => {
    const body = Buffer.from(
      typeof content === 'string' || Buffer.isBuffer(content) ? (content as string) : JSON.stringify(content),
    )
    return { header: { name: `export/${name}`, size: body.length }, body }
  })
  const file = join(folder, name)
  await writeFile(file, gzipSync(await packTar(entries)))
  return file
}

/** A digest of all that an import stores. */
export async function digestOfImports(sql: Sql): Promise<string> {
  const hash = createHash('sha256')
  for (const line of await linesOfImports(sql)) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** All that an import stores, in order; accounts and channels by their names, because a transaction that ends early uses up ids. */
export async function linesOfImports(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with people as (select id, lower(delivery_email) as email from users),
      talks as (
        select conversations.id, string_agg(email, ' ' order by email) as emails
        from conversations join people on people.id = any(user_ids) group by conversations.id)
    select line from (
      select concat_ws(' ', 'm', messages.id, email, channels.name, emails, topic, regexp_replace(content, '\\|\\d+\\*\\*|/user_uploads/1/\\w\\w/[^/]+', '', 'g'),
        regexp_replace(rendered_content, '(?:data-user-id="|data-stream-id="|channel/)\\d+|/user_uploads/(?:thumbnail/)?1/\\w\\w/[^/]+', '', 'g'), date_sent, last_edit_time, search) as line
      from messages join people on people.id = sender_id left join channels on channels.id = channel_id left join talks on talks.id = conversation_id
      union all select concat_ws(' ', 'r', message_id, email, emoji_code, emoji_name) from reactions join people on people.id = user_id
      union all select concat_ws(' ', 'f', email, message_id, flags) from message_flags join people on people.id = user_id
      union all select concat_ws(' ', 'e', message_id, email, edited_at, prev_topic, prev_content) from message_edits left join people on people.id = user_id
      union all select concat_ws(' ', 'p', email, name, topic, visibility_policy)
        from user_topics join people on people.id = user_id join channels on channels.id = channel_id
      union all select concat_ws(' ', 's', email, block, ranges) from read_state join people on people.id = user_id
      union all select concat_ws(' ', 'u', delivery_email, full_name, role, is_active, bot_type) from users
      union all select concat_ws(' ', 'c', name, description, is_archived, invite_only, first_message_id) from channels
      union all select concat_ws(' ', 'b', email, name, is_active, spans)
        from subscriptions join people on people.id = user_id join channels on channels.id = channel_id
      union all select concat_ws(' ', 'd', emails) from talks
      union all select concat_ws(' ', 'a', email, message_id, name, content_type, size)
        from attachments join people on people.id = user_id left join attachment_uses on attachment_id = attachments.id
      union all select concat_ws(' ', 'p', delivery_email, avatar_source) from users where avatar_path is not null
      union all select concat_ws(' ', 'w', message_id, copy_id, person, name, state, why, attachment_id is not null) from import_files
      union all select concat_ws(' ', 'i', state, first_id, last_id, done, written, faults) from imports
    ) lines order by line`
  return rows.map(row => row.line)
}
