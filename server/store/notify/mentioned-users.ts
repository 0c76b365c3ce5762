import type { Tx } from '../driver/db.js'

/** Which of the users each of the messages names, not silently; also those who do not receive it. */
export const mentionedIn = (
  tx: Tx,
  messageIds: readonly number[],
  userIds: readonly number[],
): Promise<{ message_id: number; user_id: number }[]> => tx<{ message_id: number; user_id: number }[]>`
  select distinct m.id as message_id, named[1]::int as user_id
  from messages m, regexp_matches(m.rendered_content, '<span class="user-mention" data-user-id="(\\d{1,9})"', 'g') as named
  where m.id = any(${messageIds as number[]}::bigint[]) and named[1]::int = any(${userIds as number[]}::int[])
  order by message_id, user_id`
