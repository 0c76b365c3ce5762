import type { JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
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
const linkFields: readonly Field[] = [
  { name: 'invite_as', kind: 'choice', options: roles },
  { name: 'expires', kind: 'choice', options: ends },
  { name: 'with_default_channels', kind: 'switch', isOptional: true },
  { name: 'channels', kind: 'channels', isOptional: true },
  { name: 'groups', kind: 'groups', isOptional: true },
]

const mailFields: readonly Field[] = [
  { name: 'invitee_emails', kind: 'lines' },
  ...linkFields,
  { name: 'notifies', kind: 'switch', isOptional: true },
]

/** Only administrators write a text of their own. */
const welcomeField: Field = {
  name: 'welcome_text',
  kind: 'lines',
  isOptional: true,
  longest: limits.welcome_message_length,
}

/** The fields of a new invitation. `problem`: what is wrong with the addresses. */
export function invitationFields(state: ChatState, isByMail: boolean, problem: () => JSX.Element): readonly Field[] {
  const fields = isByMail ? mailFields : linkFields
  return [...fields, ...(isAdministrator(state) ? [welcomeField] : [])].map(field =>
    field.name === 'invitee_emails' ? { ...field, problem } : field,
  )
}

const ids = (text = '') => text.split(',').filter(Boolean).map(Number)

/** The parameters of an invitation by mail or link. */
export const inviteParams = ({ invitee_emails, welcome_text, ...written }: Written) => ({
  ...(invitee_emails && { invitee_emails, notify_referrer_on_join: Boolean(written.notifies) }),
  ...(welcome_text?.trim() && { welcome_message_custom_text: welcome_text }),
  invite_as: Number(written.invite_as),
  invite_expires_in_minutes: written.expires === never ? null : Number(written.expires),
  include_realm_default_subscriptions: Boolean(written.with_default_channels),
  stream_ids: ids(written.channels),
  group_ids: ids(written.groups),
})
