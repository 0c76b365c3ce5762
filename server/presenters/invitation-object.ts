import type { Invitation } from '../../shared/resources/invitation.js'
import type { ListedInvitation } from '../store/accounts/invitations.js'

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const linkUrl = (publicUrl: string, key: string): string => `${publicUrl}/join/${key}/`

/** Where the links of mails lead. */
const mailedUrl = (publicUrl: string, key: string): string => `${publicUrl}/accounts/do_confirm/${key}`

/** An open invitation. `publicUrl`: null where the viewer may not see the link. */
export function invitationObject(row: ListedInvitation, publicUrl: string | null): Invitation {
  const { id, email, key, expires } = row
  const common = {
    id,
    invited_by_user_id: row.inviter_id,
    invited: seconds(row.created),
    expiry_date: expires && seconds(expires),
    invited_as: row.role as Invitation['invited_as'],
  }
  const link = (urlOf: typeof linkUrl) => (publicUrl === null ? {} : { link_url: urlOf(publicUrl, key) })
  if (email === null) return { ...common, is_multiuse: true, ...link(linkUrl) }
  const ofMail = { email, notify_referrer_on_join: row.notifies_inviter, ...(row.has_failed && { mail_failed: true }) }
  return { ...common, is_multiuse: false, ...ofMail, ...link(mailedUrl) }
}
