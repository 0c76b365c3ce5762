import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'

/** Kinds of mails that a link in them ends, and the setting that it switches off. */
export const unsubscribeSettings = {
  login: 'enable_login_emails',
  missed_messages: 'enable_offline_email_notifications',
  digest: 'enable_digest_emails',
} as const

/** `welcome`: of the mails in the first week, which no setting of the account switches off. */
export type UnsubscribeKind = keyof typeof unsubscribeSettings | 'welcome'

const characters = 32

/** The key of such a link. It needs no row and never expires; only the organization's secret makes it. */
export const unsubscribeKey = (directory: Pick<Directory, 'organization'>, kind: UnsubscribeKind, userId: number) =>
  `${userId}-${signature(directory, kind, userId)}`

/** The account that the key is for; undefined: the key is none. */
export function unsubscribedUser(directory: Directory, kind: UnsubscribeKind, key: string): UserRow | undefined {
  const [, id, given = ''] = /^(\d{1,10})-([0-9a-f]{32})$/.exec(key) ?? []
  if (id === undefined) return undefined
  const right = signature(directory, kind, Number(id))
  return timingSafeEqual(Buffer.from(right), Buffer.from(given)) ? directory.users.get(Number(id)) : undefined
}

const signature = ({ organization }: Pick<Directory, 'organization'>, kind: UnsubscribeKind, userId: number): string =>
  createHmac('sha256', organization.secret).update(`unsubscribe ${kind} ${userId}`).digest('hex').slice(0, characters)
