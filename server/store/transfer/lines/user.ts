import { z } from 'zod'
import { flag, id, lineType, object, text, time } from '../line-type.js'

export const userLine = lineType(
  'user',
  {
    table: 'users',
    order: 'bot_owner_id is not null, id',
    doc: 'An account: a person, a bot, or one of the server’s own bots.',
    secrets: ['api_key', 'password_hash', 'service'],
  },
  {
    id: id('Its id.'),
    delivery_email: text('Its real address.'),
    full_name: text('Its name.'),
    role: z
      .literal([100, 200, 300, 400, 600])
      .describe('100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
    is_active: flag('False: deactivated.'),
    is_bot: flag('It is a bot.'),
    bot_type: z
      .int()
      .min(1)
      .max(4)
      .nullable()
      .describe('1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null: no bot.'),
    bot_owner_id: z.int().nullable().describe('The account that the bot belongs to.'),
    is_system_bot: flag('One of the server’s own bots.'),
    email_address_visibility: z
      .int()
      .min(1)
      .max(5)
      .describe('Who sees its address: 1 all users, 2 members, 3 administrators, 4 no user, 5 moderators.'),
    api_key: text('Its API key. Without it the import makes a new one.')
      .regex(/^[A-Za-z0-9]{32}$/)
      .optional(),
    password_hash: text('Argon2 hash of its password; null: none, and the user cannot sign in by password.')
      .nullable()
      .optional(),
    timezone: text('IANA name, or empty.'),
    avatar_source: z.enum(['G', 'J', 'U']).describe('Source of the avatar.'),
    avatar_path: text(
      'Path of an uploaded avatar, without its extension; the picture itself is not exported.',
    ).nullable(),
    avatar_version: z.int().describe('Version of the avatar; it rises with each change.'),
    default_all_public_streams: flag('For a bot: its queues receive messages of all public channels.'),
    default_events_register_stream_id: z
      .int()
      .nullable()
      .describe('For a bot: the channel whose messages its queues receive.'),
    default_sending_stream_id: z
      .int()
      .nullable()
      .describe('For a bot: the channel to which it writes where nothing else is said.')
      .default(null),
    service: object(
      'For an outgoing-webhook bot: the server that gets messages to it (base_url, interface, token); else null.',
    )
      .nullable()
      .optional(),
    settings: object('Personal settings that differ from the defaults at the time of joining.'),
    edited_settings: z.array(z.string()).describe('Names of the settings that the user has changed.'),
    profile_data: object('Values of profile fields by the id of the field.'),
    status: object(
      'The parts of its status that are set: status_text, emoji_name, emoji_code, reaction_type; expires_at, in UNIX seconds.',
    ),
    muted_users: z
      .array(z.strictObject({ id: z.int(), timestamp: z.int() }))
      .describe('Users that it muted: id, and timestamp in UNIX seconds.'),
    onboarding_seen: z.array(z.string()).describe('Onboarding steps that the user has seen.'),
    alert_words: z.array(z.string()).describe('Alert words, as written.'),
    date_joined: time('When the account was created.'),
    can_create_users: flag('The account has the right of this name.'),
    can_change_user_emails: flag('The account has the right of this name.'),
    is_deleted: flag('The account is deactivated, and the server has removed its personal data.'),
    reads_public_channels: flag('The account once had a queue with messages of all public channels.'),
  },
)
