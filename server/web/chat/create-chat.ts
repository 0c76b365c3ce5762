import { createSignal } from 'solid-js'
import { $RAW, createStore, produce, reconcile, unwrap } from 'solid-js/store'
import { type AnyEvent, connect, type RequestError } from '../../../shared/client/index.js'
import { t } from '../language/language.js'
import { refusalText } from '../language/refusal-text.js'
import { regenerateKey, renewedSession, type Session } from '../sign-in/session.js'
import { applyEvent, eventTypes } from '../state/apply-event.js'
import { type ChatState, emptyState } from '../state/chat-state.js'
import { capabilities, fetchTypes, stateFrom } from '../state/from-register.js'
import { carryOver, keptState } from '../state/kept.js'
import { createAway } from './away.js'
import type { Chat, Phase, Said } from './chat.js'
import { forgetDrafts } from './drafts.js'
import { openFiles } from './file-session.js'
import { createOrder } from './in-order.js'
import { claimQueue } from './kept/claim-queue.js'
import type { Start } from './kept/start.js'
import { createMeter } from './meter.js'
import { forgetOutboxes } from './outbox-store.js'

const saidMs = 6000
const offeredMs = 30_000

/** Solid searches a value for stores before it takes it, every user of a large organization. This mark says that there are none. */
const plain = <State extends object>(state: State): State => Object.defineProperty(state, $RAW, { value: state })

/** Gives a failed request the words of the page's language. */
function explain(error: RequestError): never {
  error.message = refusalText(error.code, error.message)
  throw error
}

interface Ends {
  /** The user signed out; with a reason: the server no longer accepts the API key. */
  signedOut(reason?: string): void
}

/**
 * Connects, and applies the queue's events to the state until the session ends. A kept state is there at once; the page continues its
 * queue, or if that is gone, replaces the state by that of a new queue.
 */
export function createChat(given: Session, { store, kept, mayResume, release }: Start, { signedOut }: Ends): Chat {
  const [state, setState] = createStore<ChatState>(plain({ ...emptyState(), ...kept?.state }))
  const [session, setSession] = createStore<Session>({ ...given })
  const [phase, setPhase] = createSignal<Phase>('connecting')
  const [isReady, setReady] = createSignal(kept !== undefined)
  const away = createAway(kept?.savedAt)
  const [said, setSaid] = createSignal<Said>()
  const meter = createMeter()
  const confirmed = new Set<number>()
  // The server may carry out two requests in any order: it would keep the older of two settings.
  const inOrder = createOrder()
  const files = openFiles(session)
  const ends: (() => void)[] = [meter.stop, files.end, away.stop, release]
  let changes = 0
  const change = (work: (state: ChatState) => void) => {
    changes++
    setState(produce(work))
  }
  // The queue whose events the state has.
  let queueId = kept?.position.queueId

  // Of this window; resolves in any case.
  let renewal = Promise.resolve()
  const continueWith = ({ apiKey }: Session) => {
    if (apiKey === session.apiKey) return
    setSession({ apiKey })
    files.renew()
  }
  const client = connect({
    url: location.origin,
    email: given.email,
    apiKey: given.apiKey,
    async renewedKey(apiKey) {
      await renewal
      const renewed = session.apiKey === apiKey ? await renewedSession({ ...given, apiKey }) : session
      if (renewed) continueWith(renewed)
      return renewed?.apiKey
    },
    // A browser parses JSON by itself, faster than a script decodes MessagePack.
    codec: 'json',
    // Shorter delays than the default, because a user watches the page.
    backoff: { firstMs: 400, maxMs: 4000 },
    ...(mayResume && kept && { resume: kept.position }),
    register: {
      apply_markdown: true,
      // Only uploaded pictures are shown, so that their addresses are all that is sent.
      client_gravatar: true,
      event_types: eventTypes,
      fetch_event_types: fetchTypes,
      client_capabilities: capabilities,
      slim_presence: true,
      // A laptop that sleeps for an hour can resume its queue.
      idle_queue_timeout: 3600,
    },
  })

  const begin = (answer: Record<string, unknown>) => {
    apply()
    const fresh = stateFrom(answer)
    carryOver(unwrap(state), fresh)
    changes++
    setState(reconcile(plain(fresh), { merge: false }))
    setReady(true)
    queueId = String(answer.queue_id)
    // A window that starts later must not continue this queue while this one has it.
    void claimQueue(queueId).then(giveBack => giveBack && ends.push(giveBack))
  }

  // Events that arrive together are applied together, so that dependent values are computed once.
  let waiting: AnyEvent[] = []
  const apply = () => {
    const events = waiting
    waiting = []
    if (events.length > 0)
      change(state => {
        for (const event of events) applyEvent(state, event, Date.now())
      })
  }
  client.on('*', event => {
    meter.event()
    if (event.type === 'message' && 'local_message_id' in event) confirmed.add((event.message as { id: number }).id)
    if (waiting.push(event) === 1) queueMicrotask(apply)
  })
  client.observe('restarted', begin)
  client.observe('state', ({ state, retryInMs }) => {
    setPhase(state)
    away.changed(state === 'live', retryInMs !== undefined)
    if (state === 'live') files.retry()
  })
  client.observe('error', error => console.error(error))
  client.registered
    ?.then(begin)
    .catch(error =>
      chat.say(t('notice.refused', refusalText((error as RequestError).code, (error as Error).message)), 'bad'),
    )

  const end = (reason?: string) => {
    for (const one of ends) one()
    void client.close()
    signedOut(reason)
  }
  void client.ended.then(reason => {
    if (reason === 'unauthenticated') end(t('signIn.ended'))
    else if (reason !== 'closed') end(t('signIn.connectionEnded', reason))
  })

  let sayTimer: ReturnType<typeof setTimeout> | undefined
  const chat: Chat = {
    session,
    renewKey() {
      const renewed = regenerateKey(session).then(continueWith)
      renewal = renewed.catch(() => {})
      return renewed
    },
    client,
    state,
    change,
    async ask(method, path, params) {
      const request = async () => {
        const start = performance.now()
        const wasLive = client.state === 'live'
        const answer = await client.request(method, path, params)
        // The time of a request that waited for a connection is not the server's response time.
        if (wasLive) meter.answered(performance.now() - start)
        return answer
      }
      return (method === 'GET' ? request() : inOrder(path, request)).catch(explain)
    },
    phase,
    isReady,
    away: away.since,
    keptStore: store,
    changes: () => changes,
    snapshot() {
      apply()
      const position = client.position
      if (!position || position.queueId !== queueId) return undefined
      return { position, savedAt: Date.now(), state: keptState(unwrap(state)) }
    },
    meter,
    queueId: () => client.position?.queueId,
    confirmed,
    filesOpened: files.opened,
    say(sentence, manner = 'plain', offer) {
      clearTimeout(sayTimer)
      setSaid({ sentence, manner, ...(offer && { offer }) })
      sayTimer = setTimeout(() => setSaid(undefined), offer ? offeredMs : saidMs)
    },
    said,
    signOut() {
      forgetOutboxes()
      forgetDrafts()
      end()
    },
    onEnd: one => ends.push(one),
  }
  return chat
}
