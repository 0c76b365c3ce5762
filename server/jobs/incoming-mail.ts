import { ApiError } from '../../shared/errors.js'
import { examineMessage } from '../actions/messages/prepare.js'
import { incomingMail as type } from '../job-types/incoming-mail.js'
import { addNotices } from '../job-types/notice.js'
import { truncate } from '../text/content.js'
import { plainMarkdown, quoted } from '../text/quote.js'
import { jobKind } from './job-kind.js'

/**
 * Makes a mail a message, with the permissions that the account has at this moment. The account learns of a refusal by a notice, which does not name the
 * conversation: the account may no longer be allowed to know it.
 */
export const incomingMail = jobKind(type, {
  guarantee: 'exactly once',
  atOnce: 5,
  seconds: 60,
  attempts: 20,
  async run(ctx, { user_id, sender_id, to, content, subject }, run) {
    await ctx.directory.fresh()
    if (!ctx.directory.users.get(user_id)?.is_active) return
    try {
      // The email gateway bot may write everywhere; the account that asked for the address may not.
      if (sender_id !== user_id) await examineMessage(ctx, { senderId: user_id, to, content })
      await run.send({ senderId: sender_id, client: 'Internal', to, content, readBySender: sender_id === user_id })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const name = subject === '' ? 'without a subject' : plainMarkdown(truncate(subject, 200, '…'))
      await run.write(async (_tx, _emit, { after }) => {
        const notice = `The mail ${name} could not be posted:\n\n${quoted(error.message)}`
        addNotices(after, [{ to: { people: [user_id] }, content: notice }])
      })
    }
  },
})
