import { createEffect, on } from 'solid-js'
import type { RequestError } from '../../../shared/client/index.js'
import { type Place, peopleOf } from '../../../shared/resources/place.js'
import { t } from '../language/language.js'
import type { Attempt, Unsent } from '../state/chat-state.js'
import {
  addUnsent,
  dropUnsent,
  findArrived,
  isTooLate,
  type SentBefore,
  setSending,
  setUnprocessed,
  setUnsent,
  takeUnsent,
} from '../state/outbox.js'
import { termsOf } from '../state/terms.js'
import type { Chat } from './chat.js'
import { openOutbox } from './outbox-store.js'

// Delay of a repeat after an answer that did not come, or that says that the server is not ready.
const repeatDelayMs = 2000
// A user seldom sends more messages than this between two checks.
const lookBack = 50
// Ten seconds; after that the message exists in any case, and the next state or page will show it.
const mostLooks = 40

export interface Sending {
  send(place: Place, content: string): void
  /** Sends the message again, after a refusal or if it is unknown whether it arrived. */
  retry(localId: string): void
  drop(localId: string): void
}

/**
 * Sends messages one after the other, in the order in which they were written. After a lost answer the page repeats the send with the
 * same queue and local id, so that the server stores the message once (docs/protocol/conventions.md#repeated-sends). When that is no longer
 * safe, it looks for the message, and if it finds none, the user decides.
 */
export function createSending(chat: Chat): Sending {
  let count = 0
  let isBusy = false
  const page = Math.random().toString(36).slice(2, 10)
  const isConnected = () => chat.isReady() && chat.phase() === 'live'
  const next = () => chat.state.outbox.find(one => one.status === 'waiting' || one.status === 'again')

  // Without a connection, messages stay in the outbox as not sent, even after a reload.
  const run = async () => {
    if (isBusy) return
    isBusy = true
    try {
      for (let unsent = next(); unsent && isConnected(); unsent = next()) await carryOn(chat, unsent)
    } finally {
      isBusy = false
    }
  }
  createEffect(
    on(isConnected, isNow => {
      if (!isNow) return
      void run()
    }),
  )
  const store = openOutbox(chat.session.userId, unsent => {
    chat.change(state => takeUnsent(state, unsent))
    void run()
  })
  chat.onEnd(store.end)
  let isTold = false
  createEffect(() => {
    if (store.keep(JSON.parse(JSON.stringify(chat.state.outbox)) as Unsent[]) || isTold) return
    isTold = true
    chat.say(t('unsent.notKept'), 'bad')
  })
  return {
    send(place, content) {
      const localId = `${page}.${++count}`
      chat.change(state => addUnsent(state, { localId, place, content, writtenAt: Date.now() }))
      void run()
    },
    retry(localId) {
      chat.change(state => setUnsent(state, localId, 'again'))
      void run()
    },
    drop: localId => chat.change(state => dropUnsent(state, localId)),
  }
}

async function carryOn(chat: Chat, unsent: Unsent): Promise<void> {
  const isThere = () => chat.state.outbox.some(one => one.localId === unsent.localId)
  const set = (status: Unsent['status'], error?: string) =>
    chat.change(state => setUnsent(state, unsent.localId, status, error))
  const late = isTooLate(unsent, Date.now())
  if (late || unsent.status === 'again') {
    const arrived = await hasArrived(chat, unsent).catch((error: RequestError) => error)
    // Still unknown: look again.
    if (arrived instanceof Error) return afterLook(arrived, set)
    if (arrived) return
    if (unsent.status !== 'again') return set('unsure')
  }
  const queueId = chat.queueId()
  // Its event may have arrived meanwhile.
  if (queueId === undefined || !isThere()) return
  const earlier = late || unsent.attempt === null ? null : { ...unsent.attempt }
  const attempt: Attempt = earlier ?? { queueId: unsent.leftBy ?? queueId, at: Date.now() }
  try {
    chat.change(state => setSending(state, unsent.localId, attempt))
    const { id } = await chat.ask('POST', '/messages', {
      ...recipient(unsent.place),
      content: unsent.content,
      queue_id: attempt.queueId,
      local_id: unsent.localId,
      read_by_sender: true,
    })
    chat.confirmed.add(id as number)
    // The event contains the message, and usually arrives before this answer.
    if (chat.state.messages[id as number]) chat.change(state => dropUnsent(state, unsent.localId))
    else settleLater(chat, unsent.localId, id as number)
  } catch (error) {
    const unprocessed = () => chat.change(state => setUnprocessed(state, unsent.localId, earlier))
    await afterFailure(error as RequestError, set, unprocessed)
  }
}

/** Waits after a temporary error; shows a permanent one. A retry by the user begins with another look. */
async function afterLook(error: RequestError, set: (status: Unsent['status'], error?: string) => void): Promise<void> {
  const isRefusal = error.status >= 400 && error.status !== 429 && error.status !== 503
  if (isRefusal) set('refused', error.message)
  else await pause(error.retryAfterMs ?? repeatDelayMs)
}

async function afterFailure(
  error: RequestError,
  set: (status: Unsent['status'], error?: string) => void,
  unprocessed: () => void,
): Promise<void> {
  switch (error.code) {
    case 'CONNECTION_LOST':
      set('waiting')
      break
    case 'TIMEOUT':
    // The server lost its database connection and does not know whether the transaction was committed.
    case 'SERVER_NOT_READY':
      set('waiting')
      await pause(error.retryAfterMs ?? repeatDelayMs)
      break
    case 'NOT_CONNECTED':
    case 'CLOSED':
      unprocessed()
      break
    case 'RATE_LIMIT_HIT':
      unprocessed()
      await pause(error.retryAfterMs ?? 1000)
      break
    default:
      set('refused', error.message)
  }
}

/** The server has answered but the event is not here yet: the page shows its own copy until then. */
function settleLater(chat: Chat, localId: string, id: number): void {
  let looks = 0
  const check = (): void => {
    if (chat.state.messages[id] || ++looks > mostLooks) {
      chat.change(state => dropUnsent(state, localId))
    } else setTimeout(check, 250)
  }
  check()
}

async function hasArrived(chat: Chat, unsent: Unsent): Promise<boolean> {
  const narrow =
    'direct' in unsent.place
      ? ({ kind: 'direct', key: unsent.place.direct } as const)
      : { kind: 'topic' as const, ...unsent.place }
  const { messages } = await chat.ask('GET', '/messages', {
    anchor: 'newest',
    num_before: lookBack,
    num_after: 0,
    apply_markdown: false,
    narrow: [...termsOf(chat.state, narrow), { operator: 'sender', operand: chat.state.user_id }],
  })
  const found = findArrived(unsent, messages as SentBefore[], chat.confirmed)
  if (!found) return false
  chat.confirmed.add(found.id)
  chat.change(state => dropUnsent(state, unsent.localId))
  return true
}

const recipient = (place: Place) =>
  'direct' in place
    ? { type: 'direct', to: peopleOf(place.direct) }
    : { type: 'channel', to: place.channelId, topic: place.topic }

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
