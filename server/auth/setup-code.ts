import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Directory } from '../memory/directory.js'

// As many characters as the keys of other links have.
const characters = 24

/** Whether the organization has no account but those of the server: the setup link makes its owner. */
export const isEmpty = ({ users }: Pick<Directory, 'users'>): boolean =>
  [...users.values()].every(user => user.is_system_bot)

/** The code of the setup link. The same at each start, so that every worker knows it; it works only while the organization is empty. */
export const setupCode = ({ organization }: Pick<Directory, 'organization'>): string =>
  createHmac('sha256', organization.secret).update('setup').digest('hex').slice(0, characters)

/** Compares in constant time. */
export function isSetupCode(directory: Pick<Directory, 'organization'>, given: string): boolean {
  const [right, found] = [setupCode(directory), given].map(text => Buffer.from(text)) as [Buffer, Buffer]
  return right.length === found.length && timingSafeEqual(right, found)
}
