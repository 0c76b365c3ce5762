import { z } from 'zod'
import { role } from './user.js'

/** An open invitation by mail, or a link for any number of people. */
export const invitation = z.object({
  id: z.int().describe('Invitations by mail and links count apart.'),
  invited_by_user_id: z.int(),
  invited: z.int().describe('When it was made, in UNIX seconds.'),
  expiry_date: z.int().nullable().describe('UNIX seconds; null: never.'),
  invited_as: role,
  is_multiuse: z.boolean().describe('A link.'),
  email: z.string().optional().describe('Of an invitation by mail.'),
  notify_referrer_on_join: z.boolean().optional().describe('Of an invitation by mail.'),
  link_url: z.string().optional().describe('Of a link. Absent for an administrator if the link makes owners.'),
})

export type Invitation = z.output<typeof invitation>
