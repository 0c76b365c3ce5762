import type { Chat } from './chat.js'

/** Sets a flag of messages for the user, or takes it away. @throws {RequestError} */
export const setFlag = (
  chat: Chat,
  messages: readonly number[],
  flag: 'read' | 'starred',
  isSet: boolean,
): Promise<unknown> => chat.ask('POST', '/messages/flags', { messages, op: isSet ? 'add' : 'remove', flag })
