import type { Attempt, ChatState, Message, Unsent } from './chat-state.js'

// The server recognizes a repeated send for ten minutes after it stored the message, which is never before the first attempt. A repeat
// may wait in the server, so the page stops earlier.
const repeatableMs = 8 * 60_000

type Written = Omit<Unsent, 'status' | 'error' | 'after' | 'attempt' | 'leftBy'>

export function addUnsent(state: ChatState, unsent: Written): void {
  state.outbox = [
    ...state.outbox,
    { ...unsent, after: state.max_message_id, leftBy: null, attempt: null, status: 'waiting', error: null },
  ]
}

/** Takes over what another window has not sent; it is older than what was written here. */
export function takeUnsent(state: ChatState, unsent: readonly Unsent[]): void {
  const known = new Set(state.outbox.map(one => one.localId))
  state.outbox = [...unsent.filter(one => !known.has(one.localId)), ...state.outbox]
}

/**
 * Whether an attempt may have stored the message so long ago that the server would store a repeat as a second message. An attempt in the
 * future shows that the clock was changed.
 */
export const isTooLate = ({ attempt }: Pick<Unsent, 'attempt'>, now: number): boolean =>
  attempt !== null && (now - attempt.at > repeatableMs || attempt.at > now)

/** Whether no request with the message may have reached the server. */
export const isUntried = ({ status, attempt }: Pick<Unsent, 'status' | 'attempt'>): boolean =>
  status === 'waiting' && attempt === null

/** Notes that the message is being sent. */
export function setSending(state: ChatState, localId: string, attempt: Attempt): void {
  state.outbox = state.outbox.map(one =>
    one.localId === localId ? { ...one, attempt, status: 'sending', error: null } : one,
  )
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

/** Notes that the server did not process the last request: only an attempt before it may have stored the message. */
export function setUnprocessed(state: ChatState, localId: string, earlier: Attempt | null): void {
  state.outbox = state.outbox.map(one =>
    one.localId === localId ? { ...one, status: 'waiting', attempt: earlier } : one,
  )
}

/** Removes an unsent message whose event has arrived with its local id. */
export function settleArrived(state: ChatState, message: Message, localId: string | undefined): void {
  if (localId !== undefined && message.sender_id === state.user_id) dropUnsent(state, localId)
}

/** A message in history, with its Markdown source. */
export interface SentBefore {
  readonly id: number
  readonly content: string
}

/**
 * The sent message that matches an unsent one whose answer was lost long ago; undefined if there is none. `known` are ids of
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
