import { z } from 'zod'
import { flag, id, lineType, object, text } from '../line-type.js'

export const profileFieldLine = lineType(
  'profile_field',
  { table: 'custom_profile_fields', order: 'id', doc: 'A custom profile field.' },
  {
    id: id('Its id.'),
    type: z
      .int()
      .min(1)
      .max(8)
      .describe('1 short text, 2 long text, 3 select, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.'),
    name: text('Its name.'),
    hint: text('A hint for users.'),
    field_data: object('For a select: from key to text and order; for an external account: its kind.').nullable(),
    position: z.int().describe('Its position among the fields.'),
    required: flag('Every user has to fill in the field.'),
    editable_by_user: flag('False: only administrators can change its values.'),
    display_in_profile_summary: flag('The summary of a profile shows the field.'),
  },
)
