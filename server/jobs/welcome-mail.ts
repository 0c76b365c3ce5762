import { addWelcomeMail } from '../actions/joining/welcome-mails.js'
import { welcomeMail as type } from '../job-types/welcome-mail.js'
import { realmSetting } from '../policies/settings.js'
import { jobKind } from './job-kind.js'

/** Mails a further welcome, unless the account is gone or the organization sends none any more. */
export const welcomeMail = jobKind(type, {
  guarantee: 'exactly once',
  run: (ctx, { userId, number }, run) =>
    run.write(async (tx, _emit, { after }) => {
      const { directory } = ctx
      await directory.hold(tx, 'share')
      const user = directory.users.get(userId)
      if (!user?.is_active || !directory.organization.is_active) return
      if (realmSetting(directory, 'send_welcome_emails')) addWelcomeMail(after, user, number)
    }),
})
