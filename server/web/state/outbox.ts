import type { ChatState, Message } from './chat-state.js'
import { type Place, placeKey } from './place.js'

/**
 * A message that was written here and has not come back yet.
 * waiting: not asked, or surely not done. sending: asked. doubtful: asked, and no answer came, so that it may be there: it is
 * looked for. unsure: it was not found, but the server may still be at it: the user says whether to send it again. again: the
 * user said so. refused: the server said no.
 */
export interface Unsent {
  readonly localId: string
  readonly place: Place
  readonly content: string
  /** Milliseconds. */
  readonly writtenAt: number
  /** No message up to this id can be it. */
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

/** A message came with the name that this page gave it: it is there. */
export function settleArrived(state: ChatState, message: Message, localId: string | undefined): void {
  if (localId !== undefined && message.sender_id === state.me) dropUnsent(state, localId)
}

/** A message as it stands in history, with its source. */
export interface SentBefore {
  readonly id: number
  readonly content: string
}

/**
 * Which of the messages that the user sent to the place is the one whose answer was lost; undefined: none, it has to be sent
 * again. `known` are ids of messages that came with names of their own: of two equal texts each is one message.
 */
export function findArrived(
  unsent: Pick<Unsent, 'content' | 'after'>,
  sent: readonly SentBefore[],
  known: ReadonlySet<number>,
): SentBefore | undefined {
  const text = normal(unsent.content)
  return sent.find(one => one.id > unsent.after && !known.has(one.id) && normal(one.content) === text)
}

/** As the server keeps it: no space at the ends, line ends of one kind. */
const normal = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

export const unsentIn = (state: ChatState, place: Place): Unsent[] =>
  state.outbox.filter(one => placeKey(one.place) === placeKey(place))
