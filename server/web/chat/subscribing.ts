import type { Chat } from './chat.js'

const path = '/users/me/subscriptions'

/** @throws {RequestError} */
export const subscribe = (chat: Chat, channel: string): Promise<unknown> =>
  chat.ask('POST', path, { subscriptions: [{ name: channel }] })

/** @throws {RequestError} */
export const unsubscribe = (chat: Chat, channel: string): Promise<unknown> =>
  chat.ask('DELETE', path, { subscriptions: [channel] })
