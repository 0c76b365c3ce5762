import { mail as type } from '../job-types/mail.js'
import { sendMail } from '../mail/send-mail.js'
import { jobKind } from './job-kind.js'

/** Sends a mail. Its Message-ID is the same for each attempt. A mail server may be away for a day. */
export const mail = jobKind(type, {
  guarantee: 'at least once',
  atOnce: 8,
  seconds: 45,
  attempts: 36,
  run: (ctx, payload, run) => sendMail(ctx.config, { ...payload, id: run.stableId }),
})
