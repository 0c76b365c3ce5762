import { z } from 'zod'
import { flag, lineType, object, text, time } from '../line-type.js'

export const organizationLine = lineType(
  'organization',
  {
    table: 'organization',
    order: 'id',
    doc: 'The organization: one line, after the header.',
    nested: { last_message_id: '(select case when is_called then last_value else 0 end from messages_id_seq)' },
  },
  {
    name: text('Its name.'),
    description: text('The description, in Markdown.'),
    settings: object('Settings that differ from the defaults; values of permissions are ids of groups.'),
    user_settings_defaults: object('Personal settings of new accounts that differ from the defaults of the protocol.'),
    pictures: object('Uploaded icon and logos: path and version by kind; the pictures themselves are not exported.'),
    is_active: flag('False: deactivated.'),
    date_created: time('When it was created.'),
    full_members_as_of: time('Members whose waiting period ended before this time are full members.'),
    last_message_id: z.int().min(0).describe('The highest id of any message, including deleted ones.'),
  },
)
