import { z } from 'zod'
import { flag, id, lineType, object, text } from '../line-type.js'

export const profileFieldLine = lineType(
  'profile_field',
  'custom_profile_fields',
  'id',
  'A custom field of profiles.',
  {
    id: id('Its id.'),
    type: z
      .int()
      .min(1)
      .max(8)
      .describe('1 short text, 2 long text, 3 select, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.'),
    name: text('Its name.'),
    hint: text('A hint for users.'),
    field_data: object('Of a select: key to text and order; of an external account: its kind.').nullable(),
    position: z.int().describe('Its place among the fields.'),
    required: flag('Users must fill it in.'),
    editable_by_user: flag('False: administrators alone change its values.'),
    display_in_profile_summary: flag('It is shown in the summary of a profile.'),
  },
)
