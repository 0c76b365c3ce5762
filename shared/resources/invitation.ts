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
  mail_failed: z
    .boolean()
    .optional()
    .describe('The mail server refused the mail for good, or was away for more than a day; until it is sent again.'),
  link_url: z
    .string()
    .optional()
    .describe(
      'Of a link, and for administrators also of an invitation by mail if the server sends no mails. Absent for an administrator if the invitation makes owners.',
    ),
})

export type Invitation = z.output<typeof invitation>

/** Why an address is not invited, as the API says it. */
export const refusalReasons = {
  invalid: 'Invalid address.',
  domain: 'Outside your domain.',
  plusSign: 'Email addresses containing + are not allowed.',
  disposable: 'Please use your real email address.',
  reserved: 'Reserved for system bots.',
  account: 'Already has an account.',
  deactivated: 'Account has been deactivated.',
  tooOften: 'Invited too often today.',
} as const
