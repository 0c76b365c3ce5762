import type { ChannelRow } from '../channels/channels.js'
import type { ISql, Tx } from '../driver/db.js'
import type { GroupRow } from '../groups/groups.js'
import type { CustomEmojiRow } from '../organization/custom-emoji.js'
import { linkifierColumns, type StoredLinkifiers, withSafeTemplates } from '../organization/linkifiers.js'
import type { OrganizationRow } from '../organization/organization.js'
import { listColumns, type OrganizationLists } from '../organization/organization-lists.js'
import { type UserRow, userColumns } from '../users/users.js'

/** A row that was deleted. */
export interface RemovedRow {
  readonly kind: 'user' | 'channel' | 'group' | 'emoji'
  readonly id: number
}

interface Rows {
  readonly organization: OrganizationRow
  readonly user: UserRow
  /** Also one whose members or subgroups changed. */
  readonly group: GroupRow
  /** Subscribing does not count as a change. */
  readonly channel: ChannelRow
  readonly emoji: CustomEmojiRow
  /** All of them, if one changed. */
  readonly linkifiers: StoredLinkifiers
  readonly lists: OrganizationLists
  readonly removed: RemovedRow
}

/** The organization, and the rows of the directory that changed after a version. */
type DirectoryChanges = { readonly [Kind in keyof Rows]: readonly Rows[Kind][] }

/**
 * What the directory shows of the changes after this version of the organization, and of all rows for 0: one statement, so one snapshot. Each row
 * comes as JSON of its own, because the rows of several tables have different columns.
 */
export async function directoryChangesAfter(sql: ISql, after: number): Promise<DirectoryChanges> {
  const rows = await sql<{ kind: keyof Rows; row: unknown }[]>`
    select 'organization' as kind, row_to_json(changed) as row from (
      select uuid, secret, name, description, settings, user_settings_defaults, pictures, is_active, date_created,
        full_members_as_of, version
      from organization
    ) changed
    union all select 'user', row_to_json(changed)
      from (select ${userColumns(sql)} from users where version > ${after}) changed
    union all select 'group', row_to_json(changed) from (
      select id, name, description, is_system_group, deactivated, creator_id, date_created, settings, version,
        array(select user_id from user_group_members where group_id = user_groups.id order by user_id) as members,
        array(select subgroup_id from user_group_subgroups where group_id = user_groups.id order by subgroup_id) as subgroups
      from user_groups where version > ${after}
    ) changed
    union all select 'channel', row_to_json(changed) from (
      select id, name, description, rendered_description, creator_id, date_created, invite_only, is_web_public,
        history_public_to_subscribers, is_archived, is_default, message_retention_days, folder_id, topics_policy,
        settings, version
      from channels where version > ${after}
    ) changed
    union all select 'emoji', row_to_json(changed) from (
      select id, name, author_id, path, is_animated, deactivated, version from custom_emoji where version > ${after}
    ) changed
    union all select 'linkifiers', row_to_json(changed)
      from (select ${linkifierColumns(sql)} from linkifier_list where version > ${after}) changed
    union all select 'lists', row_to_json(changed)
      from (select ${listColumns(sql)} from organization_lists where version > ${after}) changed
    union all select 'removed', row_to_json(changed)
      from (select kind, id from directory_removals where version > ${after} and ${after} > 0) changed`
  const changes = {
    organization: [],
    user: [],
    group: [],
    channel: [],
    emoji: [],
    linkifiers: [],
    lists: [],
    removed: [],
  }
  // The casts: `kind` names the type of the row, of its list and of its decoder, which the compiler does not connect.
  for (const { kind, row } of rows) (changes[kind] as unknown[]).push(decode[kind](row as never))
  return changes
}

/** JSON has no dates; numbers below 2^53, as all bigints of the schema are, are exact in it. */
const decode: { readonly [Kind in keyof Rows]: (row: Rows[Kind]) => Rows[Kind] } = {
  organization: row => ({
    ...row,
    date_created: new Date(row.date_created),
    full_members_as_of: new Date(row.full_members_as_of),
  }),
  user: row => ({ ...row, date_joined: new Date(row.date_joined) }),
  group: row => ({ ...row, date_created: new Date(row.date_created) }),
  channel: row => ({ ...row, date_created: new Date(row.date_created) }),
  emoji: row => row,
  linkifiers: row => ({ ...row, linkifiers: row.linkifiers.map(withSafeTemplates) }),
  lists: row => row,
  removed: row => row,
}

// Workers read changes at least once a second.
const keptDays = 7

/** Workers forget these rows, which the transaction has deleted. `version`: the next one of the organization. */
export async function noteRemoved(
  tx: Tx,
  {
    kind,
    ids,
    version,
  }: { readonly kind: RemovedRow['kind']; readonly ids: readonly number[]; readonly version: number },
): Promise<void> {
  await tx`delete from directory_removals where removed < now() - make_interval(days => ${keptDays})`
  await tx`
    insert into directory_removals (kind, id, version) select ${kind}, id, ${version} from unnest(${[...ids]}::int[]) as given (id)`
}
