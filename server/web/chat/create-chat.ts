import { createSignal } from 'solid-js'
import type { Client, RequestError } from '../../../shared/client/index.js'
import { t } from '../language/language.js'
import { refusalText } from '../language/refusal-text.js'
import { forgetSession, type Session } from '../sign-in/session.js'
import { createAsk } from './ask.js'
import { createAway } from './away.js'
import type { Chat, Phase } from './chat.js'
import { connectPage } from './connect-page.js'
import { forgetDrafts } from './drafts.js'
import { createEmojiNames } from './emoji-data.js'
import { claimQueue } from './kept/claim-queue.js'
import type { Start } from './kept/start.js'
import { createLiveState, type LiveState } from './live-state.js'
import { createMeter, type Meter } from './meter.js'
import { createNow } from './now.js'
import { forgetOutboxes } from './outbox-store.js'
import { createSaid } from './said.js'

interface Ends {
  /** The user signed out; `ended`: the server has ended the session. */
  signedOut(why?: 'ended'): void
}

/**
 * Connects, and applies the queue's events to the state until the session ends. A kept state is there at once; the page continues its
 * queue, or if that is gone, replaces the state by that of a new queue.
 */
export function createChat(session: Session, { store, kept, mayResume, release }: Start, { signedOut }: Ends): Chat {
  const live = createLiveState(kept)
  const [phase, setPhase] = createSignal<Phase>('connecting')
  const away = createAway(kept?.savedAt)
  const notices = createSaid()
  const meter = createMeter()
  const { now, stop: stopNow } = createNow()
  const ends: (() => void)[] = [meter.stop, stopNow, away.stop, release]
  const client = connectPage({ resume: mayResume ? kept?.position : undefined })
  const ask = createAsk(client, meter)
  const confirmed = applyEvents(client, live, meter)
  beginQueues(client, live, {
    // Another account has signed in meanwhile: its session is the browser's.
    isOwn(userId) {
      if (userId === session.userId) return true
      forgetSession()
      location.reload()
      return false
    },
    begun: giveBack => ends.push(giveBack),
    refused: ({ code, message }) => notices.say(t('notice.refused', refusalText(code, message)), 'bad'),
  })
  client.observe('state', ({ state, retryInMs }) => {
    setPhase(state)
    away.changed(state === 'live', retryInMs !== undefined)
  })
  client.observe('error', error => console.error(error))
  const end = (why?: 'ended') => {
    for (const one of ends) one()
    void client.close()
    signedOut(why)
  }
  void client.ended.then(reason => {
    if (reason !== 'closed') end(reason === 'unauthenticated' ? 'ended' : undefined)
  })
  return {
    session,
    client,
    state: live.state,
    change: live.change,
    ask,
    phase,
    isReady: live.isReady,
    away: away.since,
    keptStore: store,
    changes: live.changes,
    snapshot: () => live.snapshot(client.position),
    meter,
    queueId: () => client.position?.queueId,
    confirmed,
    ...notices,
    now,
    emojiNames: createEmojiNames(ask),
    signOut() {
      forgetOutboxes()
      forgetDrafts()
      end()
    },
    onEnd: one => ends.push(one),
  }
}

/** Applies all events; returns the ids of messages that confirm one that this page sent, which grow with these events. */
function applyEvents(client: Client, live: LiveState, meter: Meter): Set<number> {
  const confirmed = new Set<number>()
  client.on('*', event => {
    meter.event()
    if (event.type === 'message' && 'local_message_id' in event) confirmed.add((event.message as { id: number }).id)
    live.take(event)
  })
  return confirmed
}

interface Beginnings {
  /** Whether the queue is one of this account. */
  isOwn(userId: unknown): boolean
  /** `giveBack`: lets another window continue the queue. */
  begun(giveBack: () => void): void
  refused(error: RequestError): void
}

/** Takes over the state of each new queue: of the first one, and of those that replace a lost one. */
function beginQueues(client: Client, live: LiveState, { isOwn, begun, refused }: Beginnings): void {
  const begin = (answer: Record<string, unknown>) => {
    if (!isOwn(answer.user_id)) return
    // A window that starts later must not continue this queue while this one has it.
    void claimQueue(live.begin(answer)).then(giveBack => giveBack && begun(giveBack))
  }
  client.observe('restarted', begin)
  client.registered?.then(begin).catch((error: RequestError) => refused(error))
}
