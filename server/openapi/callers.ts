import type { ErrorCode } from '../../shared/errors.js'
import type { Allow } from '../api/route.js'
import { administrators, anyAccount, anyHuman, botsOnly, humanMembers, notGuest, owners } from '../policies/allow.js'

interface Caller {
  readonly who: string
  /** The error for all other callers. */
  readonly refusal?: ErrorCode
}

const callers: ReadonlyMap<Allow, Caller> = new Map<Allow, Caller>([
  ['anyone', { who: 'Every client; the server ignores credentials.' }],
  ['optional', { who: 'Every account, and spectators where the organization admits them.', refusal: 'UNAUTHORIZED' }],
  [anyAccount, { who: 'Every account.' }],
  [anyHuman, { who: 'Every account that is not a bot.', refusal: 'BAD_REQUEST' }],
  [notGuest, { who: 'Every account that is not a guest.', refusal: 'BAD_REQUEST' }],
  [humanMembers, { who: 'Every account that is neither a bot nor a guest.', refusal: 'BAD_REQUEST' }],
  [administrators, { who: "The organization's administrators and owners.", refusal: 'UNAUTHORIZED_PRINCIPAL' }],
  [owners, { who: "The organization's owners.", refusal: 'UNAUTHORIZED_PRINCIPAL' }],
  [botsOnly, { who: 'Bots.', refusal: 'PERMISSION_DENIED' }],
])

/** Who may call an operation; undefined for a rule of policies/allow.ts without an entry here. */
export const callerOf = (allow: Allow): Caller | undefined => callers.get(allow)
