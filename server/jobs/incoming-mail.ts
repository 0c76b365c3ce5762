import { ApiError } from '../../shared/errors.js'
import { examineMessage } from '../actions/messages/prepare.js'
import { languageOfReader } from '../actions/notice-language.js'
import { incomingMail as type } from '../job-types/incoming-mail.js'
import { addNotices } from '../job-types/notice.js'
import { truncate } from '../text/content.js'
import type { InLanguages } from '../text/page-language.js'
import { plainMarkdown, quoted } from '../text/quote.js'
import { jobKind } from './job-kind.js'

interface Words {
  readonly named: (subject: string) => string
  readonly nameless: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    named: subject => `The mail ${subject} could not be posted:`,
    nameless: 'The mail without a subject could not be posted:',
  },
  de: {
    named: subject => `Die E-Mail ${subject} konnte nicht gesendet werden:`,
    nameless: 'Die E-Mail ohne Betreff konnte nicht gesendet werden:',
  },
}

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
    const user = ctx.directory.users.get(user_id)
    if (!user?.is_active) return
    try {
      // The email gateway bot may write everywhere; the account that asked for the address may not.
      if (sender_id !== user_id) await examineMessage(ctx, { senderId: user_id, to, content })
      await run.send({ senderId: sender_id, client: 'Internal', to, content, readBySender: sender_id === user_id })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const { named, nameless } = inLanguages[languageOfReader(ctx.directory, user)]
      const head = subject === '' ? nameless : named(plainMarkdown(truncate(subject, 200, '…')))
      await run.write(async (_tx, _emit, { after }) => {
        addNotices(after, [{ to: { people: [user_id] }, content: `${head}\n\n${quoted(error.message)}` }])
      })
    }
  },
})
