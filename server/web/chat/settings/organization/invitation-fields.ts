import { numberText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import type { ChatState } from '../../../state/chat-state.js'
import { isOwner } from '../../../state/organization-rights.js'
import { isAdministrator } from '../../../state/permissions.js'
import type { Field, Written } from '../listed.js'
import type { Option } from '../rows.js'

const day = 1440
const never = 'never'

/** The roles that the user may give, the usual one first. */
const roles = (state: ChatState): Option[] => {
  const high = isAdministrator(state) ? ([300, 200] as const) : []
  return [400, 600, ...high, ...(isOwner(state) ? ([100] as const) : [])].map(role => [
    role,
    () => t(`person.role.${role as 100 | 200 | 300 | 400 | 600}`),
  ])
}

const ends = (): Option[] => [
  ...[10, 1, 3, 30].map(
    (days): Option => [days * day, () => numberText(days, { style: 'unit', unit: 'day', unitDisplay: 'long' })],
  ),
  [never, () => st('invitations.never')],
]

/** What mails and links have in common. */
export const linkFields: readonly Field[] = [
  { name: 'invite_as', kind: 'choice', options: roles },
  { name: 'expires', kind: 'choice', options: ends },
  { name: 'with_default_channels', kind: 'switch', isOptional: true },
  { name: 'channels', kind: 'channels', isOptional: true },
]

export const mailFields: readonly Field[] = [{ name: 'invitee_emails', kind: 'lines' }, ...linkFields]

/** The parameters of an invitation by mail or link. */
export const inviteParams = ({ invitee_emails, invite_as, expires, with_default_channels, channels }: Written) => ({
  ...(invitee_emails && { invitee_emails }),
  invite_as: Number(invite_as),
  invite_expires_in_minutes: expires === never ? null : Number(expires),
  include_realm_default_subscriptions: Boolean(with_default_channels),
  stream_ids: (channels ?? '').split(',').filter(Boolean).map(Number),
})
