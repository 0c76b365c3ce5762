import { badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import { isDisposableDomain } from './disposable-domain.js'
import { isAdministrator, isOwner, moderator, owner } from './roles.js'
import { realmSetting } from './settings.js'

// Who may join, and with which address (docs/users.md#who-can-join).

/** Why no account can have an address: it belongs to the server, or the organization's rules exclude it. */
export type AddressRefusal = 'reserved' | 'domain' | 'plus sign' | 'disposable'

/** The domain of the server's own accounts: no mail server delivers to it. */
export const systemDomain = 'system.invalid'

/** Whether only an account of the server can have the address. */
export const isReserved = (email: string): boolean => email.toLowerCase().endsWith(`@${systemDomain}`)

/** Whether people need an invitation to join. */
export const requiresInvitation = (directory: Directory): boolean => realmSetting(directory, 'invite_required')

/** Why no account can have this address, which is well-formed; undefined: one can. It says nothing about present accounts. */
export function addressRefusal(directory: Directory, email: string): AddressRefusal | undefined {
  if (isReserved(email)) return 'reserved'
  const at = email.lastIndexOf('@')
  const wanted = email.slice(at + 1).toLowerCase()
  if (!realmSetting(directory, 'emails_restricted_to_domains')) {
    const isRefused = realmSetting(directory, 'disallow_disposable_email_addresses') && isDisposableDomain(wanted)
    return isRefused ? 'disposable' : undefined
  }
  const isAllowed = directory.lists.domains.some(
    ({ domain, allow_subdomains }) => wanted === domain || (allow_subdomains && wanted.endsWith(`.${domain}`)),
  )
  if (!isAllowed) return 'domain'
  // One mailbox could have any number of addresses with plus signs.
  return email.slice(0, at).includes('+') ? 'plus sign' : undefined
}

/** @throws {ApiError} BAD_REQUEST if no account can have this address (`addressRefusal`) */
export function requireAllowedAddress(directory: Directory, email: string): void {
  if (addressRefusal(directory, email)) throw badRequest(`Email '${email}' not allowed in this organization`)
}

/** Whether people can join through an invitation: the account that made it is active, and may still give its role. */
export function admits(
  directory: Directory,
  { inviter_id, role }: { readonly inviter_id: number; readonly role: number },
): boolean {
  const inviter = directory.users.get(inviter_id)
  if (!inviter?.is_active) return false
  if (role === owner) return isOwner(inviter)
  return role > moderator || isAdministrator(inviter)
}
