import { createContext, useContext } from 'solid-js'
import type { Client } from '../../../shared/client/index.js'
import type { Session } from '../look/session.js'
import type { ChatState } from '../state/chat-state.js'
import type { Meter } from './meter.js'

export type Phase = 'connecting' | 'live' | 'resuming' | 'closed'

/** What all parts of the page work with: the state, how to change it, and the way to the server. */
export interface Chat {
  readonly session: Session
  readonly client: Client
  readonly state: ChatState
  /** The one way to change the state; all that depends on it follows at once. */
  change(work: (state: ChatState) => void): void
  /**
   * Any operation of the API, over the socket.
   * @throws {RequestError}
   */
  ask(method: string, path: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
  readonly phase: () => Phase
  readonly isReady: () => boolean
  readonly meter: Meter
  readonly queueId: () => string | undefined
  /** Ids of messages that this page knows to be those that it sent. */
  readonly confirmed: Set<number>
  /** Tells something in passing, to be read by screen readers too. */
  say(sentence: string, manner?: 'plain' | 'bad'): void
  readonly said: () => { sentence: string; manner: 'plain' | 'bad' } | undefined
  signOut(): void
  /** Ended with the page: timers and listeners. */
  onEnd(end: () => void): void
}

export const ChatContext = createContext<Chat>()

export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('outside of the chat')
  return chat
}
