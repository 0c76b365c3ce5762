import type { Website } from '../../text/website.js'
import type { ISql, Tx } from '../driver/db.js'

/** What is known of these websites; null: they show nothing. Addresses of which nothing is known are missing. */
export async function readWebsites(sql: ISql, urls: readonly string[]): Promise<Map<string, Website | null>> {
  const rows = await sql<{ url: string; website: Website | null }[]>`
    select url, website from websites where url = any(${urls as string[]}::text[]) and expires > now()`
  return new Map(rows.map(row => [row.url, row.website]))
}

// Hours for which a website is not read again; one that showed nothing may have been away.
const keptHours = 24
const keptHoursOfNothing = 1

/** Keeps what a website shows. */
export async function keepWebsite(sql: ISql, url: string, website: Website | null): Promise<void> {
  const hours = website ? keptHours : keptHoursOfNothing
  await sql`
    insert into websites (url, website, expires)
    values (${url}, ${website && JSON.stringify(website)}::text::jsonb, now() + make_interval(hours => ${hours}))
    on conflict (url) do update set website = excluded.website, expires = excluded.expires`
}

/** A message whose websites a worker reads. */
export interface WebsiteWork {
  readonly message_id: number
  readonly sender_id: number
  /** How often workers have begun. */
  readonly attempts: number
}

/** Whose message is next: that of the sender with the next higher id than `after`, or else with the lowest, and of none of `except`. */
interface SenderTurn {
  readonly after: number
  readonly except: readonly number[]
}

/**
 * Takes one message that is due for two minutes; other workers skip it meanwhile. Undefined: none is due. One index lookup per sender,
 * however many messages a sender has.
 */
export async function claimWebsiteWork(sql: ISql, { after, except }: SenderTurn): Promise<WebsiteWork | undefined> {
  const [work] = await sql<WebsiteWork[]>`
    update website_work set due = now() + interval '2 minutes', attempts = attempts + 1
    where message_id = (
      with recursive senders as (
        select min(sender_id) as id from website_work
        union all
        select (select min(sender_id) from website_work where sender_id > senders.id) from senders where id is not null
      )
      select next.message_id
      from (select id from senders where id <> all(${except as number[]}::int[]) order by id <= ${after}, id) turns
        cross join lateral (
          select message_id from website_work where sender_id = turns.id and due <= now() order by due limit 1
          for no key update skip locked
        ) next
      limit 1)
    returning message_id, sender_id, attempts`
  return work
}

/** The work is done. Without effect if the message was edited, or another worker has begun, since it was claimed. */
export async function endWebsiteWork(sql: ISql, { message_id, attempts }: WebsiteWork): Promise<void> {
  await sql`delete from website_work where message_id = ${message_id} and attempts = ${attempts}`
}

/** The links of an edited message are to be read. */
export async function addWebsiteWork(tx: Tx, messageId: number): Promise<void> {
  await tx`
    insert into website_work (message_id, sender_id) select id, sender_id from messages where id = ${messageId}
    on conflict (message_id) do update set due = now(), attempts = 0`
}

// Bounds the table; the last ones are those that expire next.
const mostKept = 20_000

/** Deletes websites that have expired, and those beyond the bound, and the work on messages that no worker has begun within an hour. */
export async function pruneWebsites(sql: ISql, most = mostKept): Promise<void> {
  await sql`delete from website_work where attempts = 0 and due < now() - interval '1 hour'`
  await sql`
    delete from websites
    where expires <= now() or url in (select url from websites order by expires desc offset ${most})`
}
