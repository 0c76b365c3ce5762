import { acceptMail, type MailOutcome, textOptionsOf } from '../actions/incoming-mail/accept-mail.js'
import { type MailRecipient, recipientOf } from '../actions/incoming-mail/recipient.js'
import { isIn, isLoopback, networkOf, plainAddress, readNetworks } from '../config/addresses.js'
import type { WorkerCtx } from '../ctx.js'
import type { AttemptLimit } from '../limits/attempts.js'
import { type MailReader, UnreadableMail } from '../text/mail/mail-reader.js'
import { SmtpAnswer, tooMany, unknownAddress, unreadable } from './smtp-answer.js'

const kind = 'incoming-mail'
/** Mails to channels of the organization. */
const ofOrganization: readonly AttemptLimit[] = [
  { seconds: 60, most: 50 },
  { seconds: 300, most: 120 },
  { seconds: 3600, most: 600 },
]
/** Mails to one address of a channel, or replies of one account. */
const ofOne: readonly AttemptLimit[] = [
  { seconds: 60, most: 20 },
  { seconds: 3600, most: 200 },
]
/** Addresses that do not exist, of one network: no count of tries finds one that does, but each costs a statement. */
const unknown = 'unknown-mail-address'
const unknownOfNetwork: readonly AttemptLimit[] = [{ seconds: 3600, most: 300 }]

/** What an SMTP session may name as recipient. @throws {SmtpAnswer} */
export async function requireRecipient(ctx: WorkerCtx, address: string, client: string): Promise<MailRecipient> {
  const now = ctx.clock.now()
  const network = networkOfStranger(ctx, client)
  const isLimited = network !== undefined && (await ctx.attempts.wait(unknown, network, unknownOfNetwork, now)) > 0
  if (isLimited) throw tooMany()
  const recipient = await recipientOf(ctx, address)
  if (!recipient) {
    if (network !== undefined) await ctx.attempts.count(unknown, network, unknownOfNetwork, now)
    throw unknownAddress()
  }
  for (const [who, limits] of limitsOf(recipient)) {
    if ((await ctx.attempts.wait(kind, who, limits, now)) > 0) throw tooMany()
  }
  return recipient
}

/** Counts a mail that has arrived: what a session merely names as recipient must not stop the mails of others. */
async function countMail(ctx: WorkerCtx, recipient: MailRecipient): Promise<void> {
  for (const [who, limits] of limitsOf(recipient)) {
    if ((await ctx.attempts.count(kind, who, limits, ctx.clock.now())) > 0) throw tooMany()
  }
}

/** The narrower limit is first: beyond it a mail does not count for the wider one. */
function limitsOf({ token, target, user }: MailRecipient): [who: string, limits: readonly AttemptLimit[]][] {
  if (target.purpose === 'reply') return [[`account ${user.id}`, ofOne]]
  return [
    [`address ${token}`, ofOne],
    ['organization', ofOrganization],
  ]
}

/**
 * Undefined: a mail server of the operator, on this machine or among TRUSTED_PROXIES. It passes on what others send, and they must not be able to stop the
 * mails that it passes on.
 */
export function networkOfStranger({ config: { trustedProxies } }: WorkerCtx, client: string): string | undefined {
  const address = plainAddress(client)
  if (address === undefined || isLoopback(address) || isIn(readNetworks(trustedProxies), address)) return undefined
  return networkOf(address)
}

interface Arrived {
  /** The sender of the envelope; empty: a notice that a mail could not be delivered. */
  readonly envelopeFrom: string
  readonly recipients: readonly MailRecipient[]
  readonly source: Uint8Array
}

/**
 * Takes a mail for all its recipients; when it resolves, what follows from the mail is committed. Returns what became of it at each of them.
 * @throws {SmtpAnswer} the mail cannot be read, or there are too many; other errors: a later attempt may succeed, in which those that have the mail do not get it again
 */
export async function receiveMail(
  ctx: WorkerCtx,
  reader: MailReader,
  { envelopeFrom, recipients, source }: Arrived,
): Promise<MailOutcome[]> {
  // Never an answer of a person (RFC 3834, 2; RFC 5321, 6.1).
  if (envelopeFrom === '') return recipients.map(() => 'dropped' as const)
  for (const recipient of recipients) await countMail(ctx, recipient)
  const mail = await reader.read({ source, options: recipients.map(textOptionsOf) }).catch(refuse)
  const outcomes: MailOutcome[] = []
  for (const [index, recipient] of recipients.entries()) {
    outcomes.push(await acceptMail(ctx, recipient, mail, mail.texts[index] ?? ''))
  }
  return outcomes
}

function refuse(error: unknown): never {
  throw error instanceof UnreadableMail ? unreadable() : error
}

export const isAnswer = (error: unknown): error is SmtpAnswer => error instanceof SmtpAnswer
