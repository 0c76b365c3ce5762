import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { stillMissed } from '../actions/notify/still-missed.js'
import { unsubscribeKey } from '../auth/unsubscribe-key.js'
import type { Ctx, WorkerCtx } from '../ctx.js'
import { mail as type } from '../job-types/mail.js'
import { composeMail } from '../mail/compose-mail.js'
import { isUnknownAddress, sendMail } from '../mail/send-mail.js'
import { jobKind } from './job-kind.js'

// The last attempt is 27 to 36 hours after the first one: a mail server may be away for a day.
const attempts = 48

/** Sends a mail in the language of its reader. Its Message-ID is the same for each attempt. */
export const mail = jobKind(type, {
  guarantee: 'at least once',
  atOnce: 8,
  seconds: 45,
  attempts,
  isHopeless: isUnknownAddress,
  async run(ctx, payload, run) {
    const wanted = run.claim.attempts > 1 ? await stillWanted(ctx, payload) : payload
    if (wanted) await sendMail(ctx.config, { to: wanted.to, ...words(ctx, wanted), id: run.stableId })
  },
})

type Payload = z.output<typeof type.payload>

/** What is still to be sent when the mail server was away; undefined: the mail has no purpose any more. */
async function stillWanted(ctx: WorkerCtx, payload: Payload): Promise<Payload | undefined> {
  if ('text' in payload || payload.content.kind !== 'missed_messages' || !payload.unsubscribe) return payload
  await ctx.directory.fresh()
  const content = await stillMissed(ctx, payload.unsubscribe.user_id, payload.content)
  return content && { ...payload, content }
}

function words({ directory, publicUrl: url, realmHost: host }: Ctx, payload: Payload) {
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
