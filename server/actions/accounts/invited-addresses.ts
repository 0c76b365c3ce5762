import { ApiError, badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { refusalReasons } from '../../../shared/resources/invitation.js'
import { budgets } from '../../config/budgets.js'
import type { Directory } from '../../memory/directory.js'
import { type AddressRefusal, addressRefusal } from '../../policies/joining.js'
import { countInvitationMails } from '../../store/accounts/invitations.js'
import type { Tx } from '../../store/driver/db.js'
import { accountsWith } from '../../store/users/users.js'
import { isEmail } from './account-details.js'

/** An address that cannot be invited, why, and whether it has a deactivated account. */
export type RefusedAddress = readonly [email: string, reason: string, isDeactivated: boolean]

const { most } = budgets.invitedAddresses

/**
 * The addresses of a text, which commas and line ends separate; of `Name <a@b>` the address in angle brackets. Each counts once, in any
 * letter case. They may be malformed.
 * @throws {ApiError} BAD_REQUEST for none, and for too many
 */
export function namedAddresses(text: string): string[] {
  const byLowerCase = new Map<string, string>()
  for (const part of text.split(/[,\r\n]/)) {
    const named = part.trim()
    const address = (/<([^<>]*)>$/.exec(named)?.[1] ?? named).trim()
    if (address !== '' && !byLowerCase.has(address.toLowerCase())) byLowerCase.set(address.toLowerCase(), address)
  }
  if (byLowerCase.size === 0) throw badRequest('You must specify at least one email address.')
  if (byLowerCase.size > most) throw badRequest(`One request can invite at most ${most} addresses.`)
  return [...byLowerCase.values()]
}

const reasons: Readonly<Record<AddressRefusal, string>> = {
  reserved: refusalReasons.reserved,
  domain: refusalReasons.domain,
  'plus sign': refusalReasons.plusSign,
  disposable: refusalReasons.disposable,
}

/**
 * The addresses that can be invited, and the refusals of the others, which have accounts.
 * @throws {ApiError} INVITATION_FAILED if an address can have no account, or all have one
 */
export async function invitable(
  tx: Tx,
  directory: Directory,
  emails: readonly string[],
): Promise<{ readonly possible: readonly string[]; readonly present: readonly RefusedAddress[] }> {
  const refusals = new Map(emails.flatMap(email => refusalOf(directory, email)).map(one => [one[0], one]))
  const accounts = await accountsWith(
    tx,
    emails.filter(email => !refusals.has(email)),
  )
  const present = accounts.map(({ email, is_active }) => hasAccount(email, is_active))
  const left = new Set([...refusals.keys(), ...present.map(([email]) => email)])
  const possible = emails.filter(email => !left.has(email))
  if (refusals.size > 0 || possible.length === 0) {
    const errors = [...refusals.values(), ...present]
    throw invitationFailed('Some of the addresses cannot be invited. No invitations were sent.', errors)
  }
  return { possible, present }
}

/** Why an address can have no account, apart from those that exist; empty: it can. */
export function refusalOf(directory: Directory, email: string): readonly RefusedAddress[] {
  // Who separates addresses by semicolons means several.
  if (!isEmail(email) || email.includes(';')) {
    return [[email, refusalReasons.invalid, false]]
  }
  const refusal = addressRefusal(directory, email)
  return refusal ? [[email, reasons[refusal], false]] : []
}

/**
 * Counts the mails to addresses that are to be invited. How many an address gets is counted over all inviters, so that they cannot flood a
 * mailbox together.
 * @throws {ApiError} INVITATION_FAILED if one gets too many today; then none is invited
 */
export async function countMails(tx: Tx, emails: readonly string[], now: Date): Promise<void> {
  const tooMany = await countInvitationMails(tx, emails, { now, most: limits.invitation_mails_per_address })
  if (tooMany.size === 0) return
  const errors = [...tooMany].map((email): RefusedAddress => [email, refusalReasons.tooOften, false])
  throw invitationFailed('Some of the addresses cannot be invited. No invitations were sent.', errors)
}

const hasAccount = (email: string, isActive: boolean): RefusedAddress =>
  isActive ? [email, refusalReasons.account, false] : [email, refusalReasons.deactivated, true]

/** Why not all addresses were invited. `sent`: others were. */
export const invitationFailed = (message: string, errors: readonly RefusedAddress[], sent = false): ApiError =>
  new ApiError('INVITATION_FAILED', message, {
    errors,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: false,
  })
