import { createContext, useContext } from 'solid-js'
import type { Client } from '../../../shared/client/index.js'
import type { Session } from '../sign-in/session.js'
import type { ChatState } from '../state/chat-state.js'
import type { Kept } from '../state/kept.js'
import type { NamedEmoji } from './emoji-data.js'
import type { KeptStore } from './kept/kept-state.js'
import type { Meter } from './meter.js'

export type Phase = 'connecting' | 'live' | 'resuming' | 'closed'

/** What a notice offers to do. */
export interface Offer {
  readonly title: string
  work(): void
}

export interface Said {
  readonly sentence: string
  readonly manner: 'plain' | 'bad'
  readonly offer?: Offer
}

/** The context of all components: the state, the function that changes it, and the client. */
export interface Chat {
  readonly session: Session
  readonly client: Client
  readonly state: ChatState
  /** The only function that changes the state; all dependent computations run at once. */
  change(work: (state: ChatState) => void): void
  /**
   * Any operation of the API, over the socket. Changes with the same path are sent one after the other.
   * @throws {RequestError}
   */
  ask(method: string, path: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
  readonly phase: () => Phase
  readonly isReady: () => boolean
  /** The moment in ms of the state that the page shows, while it cannot reach the server for longer than a moment. */
  readonly away: () => number | undefined
  /** The number of changes of the state so far. */
  changes(): number
  /** The state with the place in the queue that leads on from it; undefined between two queues. */
  snapshot(): Kept | undefined
  readonly keptStore: KeptStore
  readonly meter: Meter
  readonly queueId: () => string | undefined
  /** Ids of messages that this page has matched with messages it sent. */
  readonly confirmed: Set<number>
  /** Shows a short notice, which screen readers announce; longer if it offers something to do. */
  say(sentence: string, manner?: 'plain' | 'bad', offer?: Offer): void
  /** Shows why something failed, in the same way. */
  sayFailure(error: unknown): void
  /** Does something, and shows why it failed. */
  attempt(work: () => unknown): Promise<void>
  readonly said: () => Said | undefined
  /** The current time in ms, some seconds late at most. */
  readonly now: () => number
  /** All emoji with a name in the server's list, by code; fetched once. @throws {RequestError} */
  emojiNames(): Promise<ReadonlyMap<string, NamedEmoji>>
  /** Ends the session, and deletes all that the browser keeps of it. */
  signOut(): void
  /** Runs a function when the page ends, to stop timers and listeners. */
  onEnd(end: () => void): void
}

export const ChatContext = createContext<Chat>()

export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('outside of the chat')
  return chat
}
