import type { ISql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'

// Types of elements, stated because postgres.js infers a wrong array type for them.
const type = { boolean: 16, timestamptz: 1184 }

export interface SeededUser {
  readonly delivery_email: string
  readonly full_name: string
  readonly role: number
  readonly is_active: boolean
  readonly bot_type: number | null
  /** Index of the owner in the list of users to insert. */
  readonly bot_owner: number | null
  readonly email_address_visibility: number
  readonly api_key: string
  readonly timezone: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly date_joined: Date
}

export interface SeededGroup {
  readonly name: string
  readonly description: string
  readonly deactivated: boolean
  /** `creator` and `members` are indexes in the list of users to insert, `subgroups` in the list of groups. */
  readonly creator: number
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
}

export interface SeededChannel {
  readonly name: string
  readonly description: string
  readonly rendered_description: string
  /** Index in the list of users to insert. */
  readonly creator: number
  readonly date_created: Date
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly history_public_to_subscribers: boolean
  readonly is_archived: boolean
  readonly is_default: boolean
}

export interface SeededSubscription {
  readonly userId: number
  readonly channelId: number
  readonly color: string
  readonly isMuted: boolean
  readonly isPinned: boolean
  /** The user received messages with ids from `from` up to, not including, `to`; `to` null: the subscription is active. */
  readonly from: number
  readonly to: number | null
}

/** Existing data before seeding: the numbers of users and channels, whether there are many messages, and the highest ids. */
export async function readExtent(sql: ISql) {
  const [row] = await sql<
    {
      users: number
      channels: number
      messages: boolean
      user_id: number
      channel_id: number
      message_id: number
      newest: Date | null
      search_languages: string | null
    }[]
  >`
    select (select count(*)::int from users where not is_system_bot) as users,
      (select count(*)::int from channels) as channels,
      -- No more of them are looked at than are needed to say that there are many.
      (select count(*) = 1000 from (select from messages limit 1000) thousand) as messages,
      (select coalesce(max(id), 0) from users) as user_id,
      (select coalesce(max(id), 0) from channels) as channel_id,
      (select coalesce(max(id), 0) from messages) as message_id,
      (select date_sent from messages order by id desc limit 1) as newest,
      (select settings ->> 'search_languages' from organization) as search_languages`
  if (!row) throw new Error('nothing came back')
  return row
}

/** Inserts users; returns their ids in the given order. Rows have version 0 until `publishSeeded`. */
export async function insertSeededUsers(tx: Tx, users: readonly SeededUser[]): Promise<number[]> {
  const column = <Value>(value: (user: SeededUser) => Value): Value[] => users.map(value)
  const rows = await tx<{ id: number }[]>`
    insert into users (delivery_email, full_name, role, is_active, is_bot, bot_type, email_address_visibility, api_key,
      timezone, settings, date_joined, version)
    select delivery_email, full_name, role, is_active, bot_type is not null, bot_type, visibility, api_key, timezone,
      settings::jsonb, date_joined, 0
    from unnest(${column(u => u.delivery_email)}::text[], ${column(u => u.full_name)}::text[],
      ${column(u => u.role)}::int[], ${tx.array(
        column(u => u.is_active),
        type.boolean,
      )}::boolean[], ${column(u => u.bot_type)}::int[],
      ${column(u => u.email_address_visibility)}::int[], ${column(u => u.api_key)}::text[],
      ${column(u => u.timezone)}::text[], ${column(u => JSON.stringify(u.settings))}::text[],
      ${tx.array(
        column(u => u.date_joined),
        type.timestamptz,
      )}::timestamptz[]) with ordinality as given (delivery_email, full_name, role, is_active, bot_type, visibility, api_key,
      timezone, settings, date_joined, place)
    order by place returning id`
  const ids = rows.map(row => row.id)
  const bots = users.flatMap((user, i) => (user.bot_owner === null ? [] : [{ id: ids[i], owner: ids[user.bot_owner] }]))
  await tx`
    update users set bot_owner_id = given.owner
    from unnest(${bots.map(bot => bot.id as number)}::int[], ${bots.map(bot => bot.owner as number)}::int[]) as given (id, owner)
    where users.id = given.id`
  return ids
}

export async function insertSeededGroups(
  tx: Tx,
  groups: readonly SeededGroup[],
  userIds: readonly number[],
  date: Date,
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    insert into user_groups (name, description, deactivated, creator_id, date_created, version)
    select name, description, deactivated, creator, ${date}, 0
    from unnest(${groups.map(g => g.name)}::text[], ${groups.map(g => g.description)}::text[],
      ${tx.array(
        groups.map(g => g.deactivated),
        type.boolean,
      )}::boolean[], ${groups.map(g => userIds[g.creator] as number)}::int[])
      with ordinality as given (name, description, deactivated, creator, place)
    order by place returning id`
  const ids = rows.map(row => row.id)
  const members = groups.flatMap((group, i) => group.members.map(place => [ids[i], userIds[place]] as [number, number]))
  const subgroups = groups.flatMap((group, i) => group.subgroups.map(place => [ids[i], ids[place]] as [number, number]))
  await tx`
    insert into user_group_members (group_id, user_id)
    select * from unnest(${members.map(([group]) => group)}::int[], ${members.map(([, user]) => user)}::int[])`
  await tx`
    insert into user_group_subgroups (group_id, subgroup_id)
    select * from unnest(${subgroups.map(([group]) => group)}::int[], ${subgroups.map(([, inside]) => inside)}::int[])`
  return ids
}

export async function insertSeededChannels(
  tx: Tx,
  channels: readonly SeededChannel[],
  userIds: readonly number[],
): Promise<number[]> {
  const flag = (of: (channel: SeededChannel) => boolean) => tx.array(channels.map(of), type.boolean)
  const rows = await tx<{ id: number }[]>`
    insert into channels (name, description, rendered_description, creator_id, date_created, invite_only, is_web_public,
      history_public_to_subscribers, is_archived, is_default, version)
    select name, description, rendered, creator, created, invite_only, is_web_public, history, is_archived, is_default, 0
    from unnest(${channels.map(c => c.name)}::text[], ${channels.map(c => c.description)}::text[],
      ${channels.map(c => c.rendered_description)}::text[], ${channels.map(c => userIds[c.creator] as number)}::int[],
      ${tx.array(
        channels.map(c => c.date_created),
        type.timestamptz,
      )}::timestamptz[], ${flag(c => c.invite_only)}::boolean[],
      ${flag(c => c.is_web_public)}::boolean[], ${flag(c => c.history_public_to_subscribers)}::boolean[],
      ${flag(c => c.is_archived)}::boolean[], ${flag(c => c.is_default)}::boolean[])
      with ordinality as given (name, description, rendered, creator, created, invite_only, is_web_public, history,
        is_archived, is_default, place)
    order by place returning id`
  return rows.map(row => row.id)
}

export async function insertSeededSubscriptions(tx: Tx, subscriptions: readonly SeededSubscription[]): Promise<void> {
  const column = <Value>(value: (one: SeededSubscription) => Value): Value[] => subscriptions.map(value)
  noteListChange(
    tx,
    column(s => s.userId),
  )
  await tx`
    insert into subscriptions (user_id, channel_id, is_active, color, is_muted, pin_to_top, spans)
    select user_id, channel_id, until is null, color, is_muted, is_pinned, int8multirange(int8range(since, until))
    from unnest(${column(s => s.userId)}::int[], ${column(s => s.channelId)}::int[], ${column(s => s.color)}::text[],
      ${tx.array(
        column(s => s.isMuted),
        type.boolean,
      )}::boolean[], ${tx.array(
        column(s => s.isPinned),
        type.boolean,
      )}::boolean[],
      ${column(s => s.from)}::bigint[], ${column(s => s.to)}::bigint[])
      as given (user_id, channel_id, color, is_muted, is_pinned, since, until)`
}

/** Inserts conversations for sets of users, except existing ones; returns all their ids in the given order. */
export async function insertSeededConversations(tx: Tx, sets: readonly (readonly number[])[]): Promise<number[]> {
  const texts = sets.map(set => `{${set.join()}}`)
  await tx`
    insert into conversations (user_ids) select given::int[] from unnest(${texts}::text[]) as given
    on conflict (user_ids) do nothing`
  const rows = await tx<{ id: number }[]>`
    select id from unnest(${texts}::text[]) with ordinality as given (people, place)
      join conversations on user_ids = people::int[]
    order by place`
  return rows.map(row => row.id)
}

/** Updates the planner statistics: until autovacuum analyzes the tables, plans would rest on their sizes before the seeding. */
export async function analyzeSeeded(tx: Tx): Promise<void> {
  await tx`analyze users, user_groups, user_group_members, channels, subscriptions, conversations, messages, message_flags,
    reactions, submessages, message_edits, read_state`
}

/** Gives the inserted rows the version, so that every worker reads them into its directory after the commit. */
export async function publishSeeded(tx: Tx, version: number): Promise<void> {
  await tx`update users set version = ${version} where version = 0`
  await tx`update user_groups set version = ${version} where version = 0`
  await tx`update channels set version = ${version} where version = 0`
}
