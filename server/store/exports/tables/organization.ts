import type { ISql } from '../../driver/db.js'
import { type ExportScope, isOfPerson } from '../export-scope.js'
import type { Tables } from '../table.js'

/** Of a person the groups to which it belongs. */
const isGroupOf = (sql: ISql, { person }: ExportScope) =>
  person ? sql`id in (select group_id from user_group_members where user_id = ${person.id})` : sql`true`

/** What all people of the organization may see of its accounts. */
export const profileTables: Tables = {
  namedusergroup: (tx, scope) => tx<{ text: string }[]>`
    select (jsonb_build_object(
      'usergroup_ptr', id, 'realm', 1, 'realm_for_sharding', 1, 'name', name, 'description', description,
      'is_system_group', is_system_group, 'deactivated', deactivated, 'creator', creator_id,
      'date_created', extract(epoch from date_created)
    ) || settings)::text as text
    from user_groups where name is not null and ${isGroupOf(tx, scope)} order by id`,
  usergroupmembership: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by group_id, user_id), 'user_group', group_id, 'user_profile', user_id
    )::text as text
    from user_group_members where ${isOfPerson(tx, 'user_id', scope)} order by group_id, user_id`,
  customprofilefield: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'field_type', type, 'name', name, 'hint', hint, 'field_data', coalesce(field_data::text, ''), 'order', position,
      'required', required, 'editable_by_user', editable_by_user, 'display_in_profile_summary', display_in_profile_summary
    )::text as text
    from custom_profile_fields order by id`,
  customprofilefieldvalue: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by u.id, field.key::int), 'user_profile', u.id, 'field', field.key::int,
      'value', field.value->>'value', 'rendered_value', field.value->>'rendered_value'
    )::text as text
    from users u cross join jsonb_each(u.profile_data) as field
    where ${isOfPerson(tx, 'u.id', scope)} order by u.id, field.key::int`,
  userstatus: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'user_profile', id, 'status_text', coalesce(status->>'status_text', ''), 'emoji_name', coalesce(status->>'emoji_name', ''),
      'emoji_code', coalesce(status->>'emoji_code', ''), 'reaction_type', coalesce(status->>'reaction_type', 'unicode_emoji')
    )::text as text
    from users where status <> '{}' and ${isOfPerson(tx, 'id', scope)} order by id`,
}

/** What all people of the organization may see. */
export const organizationTables: Tables = {
  ...profileTables,
  usergroup: tx => tx<{ text: string }[]>`
    select json_build_object('id', id, 'realm', 1)::text as text from user_groups order by id`,
  groupgroupmembership: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by group_id, subgroup_id), 'supergroup', group_id, 'subgroup', subgroup_id
    )::text as text
    from user_group_subgroups order by group_id, subgroup_id`,
  realmdomain: tx => tx<{ text: string }[]>`
    select json_build_object('id', id, 'realm', 1, 'domain', domain, 'allow_subdomains', allow_subdomains)::text as text
    from allowed_domains order by id`,
  realmfilter: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'pattern', pattern, 'url_template', url_template, 'order', position, 'example_input', example_input,
      'reverse_template', reverse_template, 'alternative_url_templates', alternative_url_templates
    )::text as text
    from linkifiers order by id`,
  realmplayground: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'name', name, 'pygments_language', pygments_language, 'url_template', url_template
    )::text as text
    from playgrounds order by id`,
  realmemoji: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'name', name, 'author', author_id, 'file_name', regexp_replace(path, '^.*/', ''), 'deactivated', deactivated,
      'is_animated', is_animated
    )::text as text
    from custom_emoji order by id`,
}
