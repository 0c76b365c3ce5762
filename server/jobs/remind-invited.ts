import { invitationMail } from '../actions/accounts/invite.js'
import { mail } from '../job-types/mail.js'
import { admits } from '../policies/joining.js'
import { realmSetting } from '../policies/settings.js'
import { invitationKey, removeExpiredInvitations, takeDueReminders } from '../store/accounts/invitations.js'
import { periodicKind } from './job-kind.js'

const atOnce = 500

/** Mails the reminders of invitations, two days before they expire, and removes those that have expired. */
export const remindInvited = periodicKind('remind-invited', '*/5 * * * *', {
  async run(ctx, _, { signal }) {
    const { directory } = ctx
    const now = new Date(ctx.clock.now())
    await directory.fresh()
    if (!directory.organization.is_active) return
    const language = realmSetting(directory, 'default_language')
    // A reminder and the mark that it was taken are one transaction.
    const remind = () =>
      ctx.write(async (tx, _emit, { after }) => {
        const due = await takeDueReminders(tx, now, atOnce)
        for (const one of due.filter(one => admits(directory, one))) {
          const inviter = directory.users.get(one.inviter_id)?.full_name ?? ''
          const content = invitationMail('invitation_reminder', inviter, one)
          after(mail, { to: one.email as string, language, content }, { key: invitationKey(one.id) })
        }
        return due.length
      })
    while (!signal.aborted && (await remind()) === atOnce);
    await ctx.write(tx => removeExpiredInvitations(tx, now))
  },
})
