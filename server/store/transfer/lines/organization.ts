import { z } from 'zod'
import { flag, lineType, object, text, time } from '../line-type.js'

export const organizationLine = lineType(
  'organization',
  'organization',
  'id',
  'The organization: one line, before all others.',
  {
    name: text('Its name.'),
    description: text('Markdown.'),
    settings: object('Settings that differ from the defaults; values of permissions are ids of groups.'),
    user_settings_defaults: object('Personal settings that new accounts start with, as far as they differ.'),
    is_active: flag('False: deactivated.'),
    date_created: time('When it was made.'),
    full_members_as_of: time('Up to when the waiting period of members has been counted.'),
    last_message_id: z.int().min(0).describe('The highest id that a message ever had; deleted ones count, too.'),
  },
  { nested: { last_message_id: '(select case when is_called then last_value else 0 end from messages_id_seq)' } },
)
