import { badRequest } from '../../../shared/errors.js'
import { administrator } from '../../access/allow.js'
import { realmSetting } from '../../access/groups.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users.js'
import { checkedEmail, requireUnusedEmail } from '../users/account-details.js'

/**
 * Whether somebody may give itself another address. A new one counts once its owner has confirmed it by mail (wire facts,
 * update_settings), and this server sends no mail: only the address that one has is accepted.
 * @throws {ApiError} BAD_REQUEST
 */
export function requireChangeableEmail({ directory }: Pick<Ctx, 'directory'>, user: UserRow, given: string): void {
  const email = checkedEmail(given)
  if (email === user.delivery_email) return
  if (realmSetting(directory, 'email_changes_disabled') && user.role > administrator) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
  if (email.toLowerCase() !== user.delivery_email.toLowerCase()) requireUnusedEmail(directory, email)
  throw badRequest(
    'This server sends no email that could confirm a new address; an owner of the organization can set it.',
  )
}
