import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { unsubscribeKey } from '../auth/unsubscribe-key.js'
import type { Ctx } from '../ctx.js'
import { mail as type } from '../job-types/mail.js'
import { composeMail } from '../mail/compose-mail.js'
import { sendMail } from '../mail/send-mail.js'
import { jobKind } from './job-kind.js'

/** Sends a mail in the language of its reader. Its Message-ID is the same for each attempt. A mail server may be away for a day. */
export const mail = jobKind(type, {
  guarantee: 'at least once',
  atOnce: 8,
  seconds: 45,
  attempts: 36,
  run: (ctx, payload, run) => sendMail(ctx.config, { to: payload.to, ...words(ctx, payload), id: run.stableId }),
})

function words({ directory, publicUrl: url, realmHost: host }: Ctx, payload: z.output<typeof type.payload>) {
  if ('text' in payload) return { subject: payload.subject, text: payload.text }
  const { content, language, unsubscribe: ends } = payload
  const { name, secret } = directory.organization
  const unsubscribe =
    ends && `${url}/accounts/unsubscribe/${ends.kind}/${unsubscribeKey(directory, ends.kind, ends.user_id)}`
  const { thread, ...composed } = composeMail(content, language, { organization: name, url, unsubscribe })
  const list = ends && { name, host }
  return { ...composed, unsubscribe, list, thread: thread === undefined ? undefined : threadId(secret, thread) }
}

/** Readers and mail servers see the id, but not of which conversation it is. */
const threadId = (secret: string, thread: string): string =>
  `thread-${createHmac('sha256', secret).update(`thread ${thread}`).digest('hex').slice(0, 32)}`
