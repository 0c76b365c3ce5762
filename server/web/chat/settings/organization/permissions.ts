import { type RealmPermission, realmPermissions } from '../../../../../shared/resources/permission-settings.js'
import { type Row, rowsOf } from '../rows.js'
import type { Section } from '../section.js'

const { toggle, reversed, number, holders } = rowsOf('organization')

/** Permissions for what the server does. */
const held = (...names: (RealmPermission & Row['name'])[]): readonly Row[] =>
  names.filter(name => realmPermissions[name].fixed_group === undefined).map(holders)

/** Who may do what. */
export const permissions: Section = {
  id: 'permissions',
  icon: 'lock',
  parts: [
    {
      title: 'parts.channels',
      rows: held(
        'can_create_public_channel_group',
        'can_create_private_channel_group',
        'can_create_web_public_channel_group',
        'can_add_subscribers_group',
      ),
    },
    {
      title: 'parts.messages',
      rows: held(
        'direct_message_initiator_group',
        'direct_message_permission_group',
        'can_mention_many_users_group',
        'can_resolve_topics_group',
        'can_move_messages_between_topics_group',
        'can_move_messages_between_channels_group',
        'can_delete_any_message_group',
        'can_delete_own_message_group',
        'can_set_topics_policy_group',
        'can_set_delete_message_policy_group',
        'can_summarize_topics_group',
      ),
    },
    {
      title: 'parts.peopleGroups',
      rows: held(
        'can_invite_users_group',
        'create_multiuse_invite_group',
        'can_access_all_users_group',
        'can_create_groups',
        'can_manage_all_groups',
        'can_add_custom_emoji_group',
        'can_create_bots_group',
        'can_create_write_only_bots_group',
      ),
    },
    {
      title: 'parts.ownAccount',
      rows: [
        reversed('name_changes_disabled'),
        reversed('email_changes_disabled'),
        reversed('avatar_changes_disabled'),
        toggle('require_unique_names'),
        number('waiting_period_threshold', 0, 3650),
      ],
    },
  ],
}
