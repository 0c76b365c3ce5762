import type { Sql } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import { firstMessageIdSince } from '../messages/message-ids.js'

/** Counts the messages of each channel in the last four weeks. */
export async function countChannelTraffic(sql: Sql, now: Date): Promise<void> {
  await sql.begin(async tx => {
    // Workers of 0.1.0 count where this is an hour ago.
    await tx`update channel_traffic_counted set at = ${now}`
    noteListChange(tx)
    const since = await firstMessageIdSince(tx, new Date(now.getTime() - 28 * 24 * 60 * 60 * 1000))
    await tx`
      insert into channel_traffic (channel_id, messages)
      select channels.id, count(messages.id)
      from channels left join messages on messages.channel_id = channels.id and messages.id >= ${since}
      group by channels.id
      on conflict (channel_id) do update set messages = excluded.messages`
  })
}
