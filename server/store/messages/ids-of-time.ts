import type { ISql } from '../driver/db.js'

/** Ids of the messages that were sent in a second and whose ids have this rest: one look into the index for each `of` ids. */
export async function idsOfTime(
  sql: ISql,
  second: number,
  { rest, of }: { readonly rest: number; readonly of: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from messages
    where id = any(array(
        select generate_series(
          (select min(id) from messages) / ${of}::bigint * ${of}::bigint + ${rest}::bigint, (select max(id) from messages), ${of}::bigint)
      ))
      and date_sent >= to_timestamp(${second}) and date_sent < to_timestamp(${second + 1})`
  return rows.map(({ id }) => id)
}
