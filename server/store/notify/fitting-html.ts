import type { ISql } from '../driver/db.js'

// Mail programs cut off mails of more than about 100 kB.
const mostBytes = 60_000

/**
 * The HTML of messages by their id, without more than a mail shows: of each list the first messages, up to 60 kB together, and in any case
 * its first one.
 */
export async function fittingHtml(
  sql: ISql,
  lists: readonly (readonly number[])[],
): Promise<ReadonlyMap<number, string>> {
  const given = lists.flatMap((ids, list) => ids.map(id => ({ id, list })))
  const rows = await sql<{ id: number; html: string }[]>`
    select id, html from (
      select m.id, m.rendered_content as html, sum(octet_length(m.rendered_content)) over wanted as bytes, row_number() over wanted as number
      from unnest(${given.map(one => one.id)}::bigint[], ${given.map(one => one.list)}::int[])
        with ordinality as given (id, list, position) join messages m on m.id = given.id
      window wanted as (partition by given.list order by given.position)
    ) placed
    where bytes <= ${mostBytes} or number = 1`
  return new Map(rows.map(row => [row.id, row.html]))
}
