import type { Directory } from '../memory/directory.js'
import type { PlacedMessage } from '../store/messages/message-rows.js'
import type { UserRow } from '../store/users/users.js'
import { mayReadMessage } from './reading.js'

// I2: who may read a file follows from who may read the messages that use it.
/**
 * Whether the user (null: a spectator) may read a file: its uploader, and every user who may read one of the messages that use it
 * (docs/protocol/files.md#who-may-read-a-file). `uses`: messages as `placedMessages` returned them for that user.
 */
export const mayReadFile = (
  directory: Directory,
  user: UserRow | null,
  file: { readonly user_id: number },
  uses: readonly PlacedMessage[],
): boolean =>
  (user !== null && file.user_id === user.id) || uses.some(message => mayReadMessage(directory, user, message))
