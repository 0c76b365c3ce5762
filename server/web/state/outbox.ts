import type { ChatState, Message } from './chat-state.js'
import { type Place, placeKey } from './place.js'

/**
 * A message that was written on this page and has no event yet. waiting: not sent, or certainly not processed. sending:
 * sent. doubtful: sent without an answer, so it may have arrived; the page looks for it. unsure: not found, but the
 * server may still process it; the user decides whether to send it again. again: the user has decided to. refused: the
 * server refused it.
 */
export interface Unsent {
  readonly localId: string
  readonly place: Place
  readonly content: string
  /** In ms. */
  readonly writtenAt: number
  /** Messages up to this id are older than this one. */
  readonly after: number
  status: 'waiting' | 'sending' | 'doubtful' | 'unsure' | 'again' | 'refused'
  error: string | null
}

export function addUnsent(state: ChatState, unsent: Omit<Unsent, 'status' | 'error' | 'after'>): void {
  state.outbox = [...state.outbox, { ...unsent, after: state.maxMessageId, status: 'waiting', error: null }]
}

export function dropUnsent(state: ChatState, localId: string): void {
  state.outbox = state.outbox.filter(one => one.localId !== localId)
}

export function setUnsent(
  state: ChatState,
  localId: string,
  status: Unsent['status'],
  error: string | null = null,
): void {
  state.outbox = state.outbox.map(one => (one.localId === localId ? { ...one, status, error } : one))
}

/** Removes an unsent message whose event has arrived with its local id. */
export function settleArrived(state: ChatState, message: Message, localId: string | undefined): void {
  if (localId !== undefined && message.sender_id === state.me) dropUnsent(state, localId)
}

/** A message in history, with its Markdown source. */
export interface SentBefore {
  readonly id: number
  readonly content: string
}

/**
 * The sent message that matches an unsent one whose answer was lost; undefined if there is none. `known` are ids of
 * messages with known local ids: they do not match, so that two equal texts are two messages.
 */
export function findArrived(
  unsent: Pick<Unsent, 'content' | 'after'>,
  sent: readonly SentBefore[],
  known: ReadonlySet<number>,
): SentBefore | undefined {
  const text = normal(unsent.content)
  return sent.find(one => one.id > unsent.after && !known.has(one.id) && normal(one.content) === text)
}

/** The text as the server stores it: trimmed, with uniform line ends. */
const normal = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

export const unsentIn = (state: ChatState, place: Place): Unsent[] =>
  state.outbox.filter(one => placeKey(one.place) === placeKey(place))
