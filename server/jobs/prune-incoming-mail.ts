import { pruneMailAddresses } from '../store/incoming-mail/mail-addresses.js'
import { pruneReceived } from '../store/incoming-mail/received-mails.js'
import { periodicKind } from './job-kind.js'

/** Deletes addresses for replies that have ended, and forgets mails that no mail server sends again. */
export const pruneIncomingMail = periodicKind('prune-incoming-mail', '47 3 * * *', {
  async run({ sql, clock }) {
    await pruneMailAddresses(sql, new Date(clock.now()))
    await pruneReceived(sql)
  },
})
