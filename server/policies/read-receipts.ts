import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { userSetting } from './settings.js'

/**
 * Whether a user sees that another one has read a message: that one is active, lets others see it, did not send the message, and neither
 * of the two has muted the other (docs/protocol/permissions.md#read-receipts).
 */
export function showsReceipts(directory: Directory, viewer: UserRow, senderId: number): (readerId: number) => boolean {
  const muted = new Set(viewer.muted_users.map(one => one.id))
  return readerId => {
    const reader = directory.users.get(readerId)
    if (!reader?.is_active || readerId === senderId || muted.has(readerId)) return false
    return userSetting(reader, 'send_read_receipts') && !reader.muted_users.some(one => one.id === viewer.id)
  }
}
