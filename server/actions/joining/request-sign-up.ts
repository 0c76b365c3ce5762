import { limits } from '../../../shared/limits.js'
import type { WorkerCtx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { countMailRequest, countMailTo } from '../../limits/account-mails.js'
import { type AddressRefusal, addressRefusal } from '../../policies/joining.js'
import { storeJoinKey } from '../../store/accounts/confirmations.js'
import { isEmailTaken } from '../../store/users/users.js'
import { isEmail } from '../accounts/account-details.js'
import { addMail } from '../accounts/add-mail.js'
import { newLinkKey } from '../accounts/new-secrets.js'

interface SignUpRequest {
  readonly email: string
  /** Of the client, not of the mails. */
  readonly clientAddress: string
  /** Of the mail, if the address has no account. */
  readonly language: string
  /** The key of an open invitation link; null: the person came without one. */
  readonly linkKey: string | null
}

/**
 * Mails a key with which a person can make an account of the address. If there is an account of the address, open or deactivated, the mail says
 * so and has no key: the answer is the same, and so is the work. Returns why no account can have the address; undefined: the mail is sent.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function requestSignUp(
  ctx: WorkerCtx,
  { email: given, clientAddress, language, linkKey }: SignUpRequest,
): Promise<AddressRefusal | 'malformed' | undefined> {
  const email = given.trim()
  if (!isEmail(email)) return 'malformed'
  const refusal = addressRefusal(ctx.directory, email)
  if (refusal) return refusal
  await countMailRequest(ctx, clientAddress)
  await countMailTo(ctx, 'join', email)
  const key = newLinkKey()
  const now = ctx.clock.now()
  const mailed = { key, now: new Date(now), expires: new Date(now + limits.address_confirmation_secs * 1000) }
  await ctx.write(async (tx, _, { after }) => {
    const isTaken = await isEmailTaken(tx, email, null)
    await storeJoinKey(tx, mailed, isTaken ? null : { address: email, link_key: linkKey })
    const account = ctx.directory.usersByEmail.get(email.toLowerCase())
    const isActive = account?.is_active ?? true
    if (isTaken) addMail(ctx, after, account ?? email, { kind: 'account_exists', account: email, isActive })
    else after(mail, { to: email, language, content: { kind: 'join', key } })
  })
  return undefined
}
