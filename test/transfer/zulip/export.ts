import sharp from 'sharp'
import type { ArchiveFiles } from '../../support/archive.js'

export const at = (minute: number): number => 1_709_542_800 + minute * 60

const person = (id: number, name: string, role: number, more: object = {}) => ({
  id,
  delivery_email: `${name.toLowerCase().split(' ')[0]}@acme.example`,
  full_name: name,
  role,
  is_active: true,
  is_bot: false,
  timezone: 'Europe/Berlin',
  avatar_source: 'G',
  ...more,
})

const stream = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  recipient: 200 + id,
  creator: 11,
  date_created: at(-100),
  deactivated: false,
  description: '',
  invite_only: false,
  history_public_to_subscribers: true,
  ...more,
})

let subscriptions = 0
const subscribed = (user_profile: number, recipient: number, more: object = {}) => ({
  id: ++subscriptions,
  user_profile,
  recipient,
  active: true,
  is_muted: false,
  pin_to_top: false,
  ...more,
})

const message = (id: number, sender: number, [recipient, subject]: readonly [number, string], content: string) => ({
  id,
  sender,
  recipient,
  subject,
  content,
  rendered_content: `<p>${content}</p>`,
  date_sent: at(id - 5000),
  last_edit_time: null,
  edit_history: null,
})

const received = (message: number, flags: Readonly<Record<number, number>>) =>
  Object.entries(flags).map(([user_profile, flags_mask]) => ({
    message,
    user_profile: Number(user_profile),
    flags_mask,
  }))

const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const [general, secret, old, toBob, toAlice, toGroup] = [221, 222, 223, 102, 101, 301]

/** A small export. Alice is 11, Bob 12, Eve 13, Dana 14, a bot 15, Moira 16. */
export const zulipExport: ArchiveFiles = {
  'realm.json': {
    zerver_realm: [{ id: 2, uuid: '00000000-0000-4000-a000-000000000002', string_id: 'acme', uuid_owner_secret: 'x' }],
    zerver_userprofile: [
      person(11, 'Alice Ōsaka', 100, { avatar_source: 'U' }),
      person(12, 'Bob Müller', 400),
      person(13, 'Eve Guest', 600),
      person(14, 'Dana Gone', 400, { is_active: false }),
      person(15, 'CI Bot', 400, { is_bot: true, bot_type: 2 }),
      person(16, 'Moira Mod', 300),
      { full_name: 'Without an id' },
    ],
    zerver_userprofile_crossrealm: [
      { id: 5, email: 'notification-bot@zulip.example' },
      { id: 7, email: 'welcome-bot@zulip.example' },
    ],
    zerver_stream: [
      stream(21, 'general', { description: 'All **together**' }),
      stream(22, 'secret plans', { invite_only: true, history_public_to_subscribers: false }),
      stream(23, 'old', { deactivated: true }),
    ],
    zerver_recipient: [
      { id: general, type: 2, type_id: 21 },
      { id: secret, type: 2, type_id: 22 },
      { id: old, type: 2, type_id: 23 },
      { id: toAlice, type: 1, type_id: 11 },
      { id: toBob, type: 1, type_id: 12 },
      { id: toGroup, type: 3, type_id: 41 },
      { id: 299, type: 2, type_id: 99 },
    ],
    zerver_subscription: [
      subscribed(11, general, { pin_to_top: true }),
      subscribed(12, general, { is_muted: true }),
      subscribed(13, general),
      subscribed(14, general),
      subscribed(11, secret),
      subscribed(16, secret),
      subscribed(12, secret, { active: false }),
      subscribed(11, toGroup),
      subscribed(12, toGroup),
      subscribed(13, toGroup),
    ],
    zerver_defaultstream: [{ id: 1, stream: 21 }],
    zerver_usertopic: [
      { id: 1, user_profile: 12, stream: 21, topic_name: 'Release 1.0', visibility_policy: 3 },
      { id: 2, user_profile: 11, stream: 21, topic_name: 'noise', visibility_policy: 1 },
      { id: 3, user_profile: 11, stream: 99, topic_name: 'nowhere', visibility_policy: 1 },
      { id: 4, user_profile: 99, stream: 21, topic_name: 'nobody', visibility_policy: 2 },
      { id: 5, user_profile: 11, stream: 21, topic_name: 'wrong', visibility_policy: 9 },
    ],
    zerver_usergroup: [{ id: 31 }, { id: 51 }, { id: 52 }, { id: 53 }],
    zerver_namedusergroup: [
      { id: 31, name: 'role:everyone', is_system_group: true },
      { id: 51, name: 'devs', description: 'Developers', is_system_group: false },
      { id: 52, name: 'role:*all* of us', description: '', is_system_group: false },
      { id: 53, name: 'gone', description: '', is_system_group: false, deactivated: true },
    ],
    zerver_usergroupmembership: [
      { id: 1, user_group: 31, user_profile: 11 },
      { id: 2, user_group: 51, user_profile: 11 },
      { id: 3, user_group: 51, user_profile: 12 },
      { id: 4, user_group: 51, user_profile: 14 },
    ],
    zerver_groupgroupmembership: [
      { id: 1, supergroup: 52, subgroup: 51 },
      { id: 2, supergroup: 51, subgroup: 52 },
    ],
    zerver_realmemoji: [{ id: 71, name: 'zap_cat', file_name: '71.png' }],
    zerver_reaction: [
      { user_profile: 12, message: 5001, emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
      { user_profile: 14, message: 5001, emoji_name: 'zap_cat', emoji_code: '71', reaction_type: 'realm_emoji' },
      {
        user_profile: 11,
        message: 5002,
        emoji_name: 'service',
        emoji_code: 'service',
        reaction_type: 'zulip_extra_emoji',
      },
      { user_profile: 11, message: 5002, emoji_name: 'gone', emoji_code: '72', reaction_type: 'realm_emoji' },
      { user_profile: 'x', message: 5002, emoji_name: 'wave', emoji_code: '1f44b', reaction_type: 'unicode_emoji' },
    ],
  },
  'messages-000001.json': {
    zerver_message: [
      {
        ...message(
          5001,
          11,
          [general, 'Release 1.0'],
          'Hello @**Bob Old** and @_**Eve Guest|13**, see #**general>Release 1.0**\n```\n@**Eve Guest|13**\n```',
        ),
        rendered_content: '<p>Hello <span class="user-mention" data-user-id="12">@Bob Old</span></p>',
      },
      {
        ...message(
          5002,
          12,
          [general, 'Release 1.0'],
          'As said [there](https://chat.acme.example/#narrow/stream/21-general/topic/Release.201.2E0/near/5001), not [here](https://other.example/#narrow/stream/21-general/near/5001), but #**general>Release 1.0@5001**',
        ),
        rendered_content: '<p><a href="#narrow/stream/21-general/topic/Release.201.2E0/near/5001">there</a></p>',
        last_edit_time: at(4),
        edit_history: JSON.stringify([
          { user_id: 12, timestamp: at(5), prev_topic: 'release 1', topic: 'Release 1.0' },
          { user_id: 12, timestamp: at(4), prev_content: 'As said, @**Alice Ōsaka|11**', prev_rendered_content: '' },
          { user_id: 11, timestamp: at(3), prev_stream: 23, stream: 21 },
        ]),
      },
      message(
        5003,
        11,
        [secret, 'budget'],
        'Files: [notes.txt](/user_uploads/2/ab/r/notes.txt), [notes.txt](/user_uploads/2/ab/s/notes.txt) and [gone](/user_uploads/2/ab/gone.pdf)',
      ),
      message(5004, 12, [toAlice, ''], 'Direct to Alice'),
      message(5005, 11, [toGroup, ''], 'To the group @*devs*'),
      message(5006, 16, [secret, 'budget'], 'only Alice and Moira'),
      message(5007, 5, [general, 'channel events'], 'Alice created this channel.'),
    ],
    zerver_usermessage: [
      ...received(5001, { 11: 1, 12: 11, 13: 0, 14: 0 }),
      ...received(5002, { 11: 0, 12: 1, 13: 0 }),
      ...received(5003, { 11: 1, 12: 1 }),
      ...received(5004, { 11: 2048, 12: 2049 }),
      ...received(5005, { 11: 2049, 12: 2048 | 64, 13: 2048 }),
      ...received(5006, { 11: 513, 16: 0 }),
      ...received(5007, { 11: 1, 12: 1 }),
    ],
  },
  'messages-000003.json': {
    zerver_usermessage: [...received(5009, { 11: 5, 12: 16 | 1, 13: 16 })],
    zerver_message: [
      message(5008, 14, [toAlice, ''], 'From somebody who is gone'),
      message(5009, 11, [general, ''], '@**all** read this'),
      message(5010, 99, [general, ''], 'by nobody who is listed'),
      message(5011, 11, [299, 'x'], 'in a channel that is not listed'),
      message(5012, 11, [298, 'x'], 'to no recipient'),
      { ...message(5013, 12, [general, 'odd'], 'odd history'), edit_history: '{', date_sent: 'never' },
      17,
    ],
  },
  'uploads/2/ab/r/notes.txt': 'first',
  'uploads/2/ab/s/notes.txt': 'second',
  'avatars/records.json': [
    { user_profile_id: 11, path: '2/hash.original' },
    { user_profile_id: 11, path: '2/hash.png' },
    { user_profile_id: 12, path: '2/gone.png' },
  ],
  'avatars/2/hash.original': picture,
  'avatars/2/hash.png': 'no picture',
  'emoji/records.json': [
    { path: '2/emoji/images/71.png', name: 'zap_cat' },
    { path: '2/emoji/images/71.png.original', name: 'zap_cat' },
  ],
  'emoji/2/emoji/images/71.png': 'no picture',
  'emoji/2/emoji/images/71.png.original': picture,
}
