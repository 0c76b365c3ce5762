import type { Tx } from '../driver/db.js'

/** Which of the users each of the messages named, not silently, when it was sent; also those who do not receive it. */
export const mentionedIn = (
  tx: Tx,
  messageIds: readonly number[],
  userIds: readonly number[],
): Promise<{ message_id: number; user_id: number }[]> => tx<{ message_id: number; user_id: number }[]>`
  select distinct m.id as message_id, named[1]::int as user_id
  from messages m
  left join lateral (
    select e.prev_rendered_content from message_edits e
    where e.message_id = m.id and e.prev_rendered_content is not null order by e.id limit 1
  ) first_edit on m.last_edit_time is not null
  cross join lateral regexp_matches(
    coalesce(first_edit.prev_rendered_content, m.rendered_content), '<span class="user-mention" data-user-id="(\\d{1,9})"', 'g'
  ) as named
  where m.id = any(${messageIds as number[]}::bigint[]) and named[1]::int = any(${userIds as number[]}::int[])
  order by message_id, user_id`
