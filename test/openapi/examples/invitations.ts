import type { Cast } from './cast.js'

export async function showInvitations({ ada, name }: Cast): Promise<void> {
  const emails = ['finn', 'gwen'].map(first => `${name(first)}@chat.example`)
  await ada.ok('POST', '/invites', {
    invitee_emails: emails.join(', '),
    stream_ids: [],
    include_realm_default_subscriptions: true,
  })
  await ada.ok('POST', '/invites/multiuse', { invite_as: 600, invite_expires_in_minutes: 1440, stream_ids: [] })
  const { invites } = await ada.ok('GET', '/invites')
  const [first] = invites.filter((one: { email?: string }) => one.email === emails[0])
  const link = invites.findLast((one: { is_multiuse: boolean }) => one.is_multiuse)
  await ada.ok('POST', `/invites/${first.id}/resend`)
  await ada.ok('DELETE', `/invites/${first.id}`)
  await ada.ok('DELETE', `/invites/multiuse/${link.id}`)
}
