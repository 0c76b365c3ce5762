import { createSignal } from 'solid-js'
import { $RAW, createStore, produce, reconcile, unwrap } from 'solid-js/store'
import type { AnyEvent, Position } from '../../../shared/client/index.js'
import { applyEvent } from '../state/apply-event.js'
import { type ChatState, emptyState } from '../state/chat-state.js'
import { stateFrom } from '../state/from-register.js'
import { carryOver, type Kept, keptState } from '../state/kept.js'

/** Solid searches a value for stores before it takes it, every user of a large organization. This mark says that there are none. */
const plain = <State extends object>(state: State): State => Object.defineProperty(state, $RAW, { value: state })

/** The state of the page, which events, a new queue and the page itself change. */
export interface LiveState {
  readonly state: ChatState
  /** False until there is a state: of a register answer, or one that was kept. */
  readonly isReady: () => boolean
  change(work: (state: ChatState) => void): void
  /** The number of changes so far. */
  changes(): number
  /** Applies an event, together with all that arrive at the same time, so that dependent values are computed once. */
  take(event: AnyEvent): void
  /** Replaces the state by that of a new queue, and returns the id of the queue. */
  begin(answer: Record<string, unknown>): string
  /** The state with the place of its queue; undefined if it is not the state of that queue yet. */
  snapshot(position: Position | undefined): Kept | undefined
}

export function createLiveState(kept: Kept | undefined): LiveState {
  const [state, setState] = createStore<ChatState>(plain({ ...emptyState(), ...kept?.state }))
  const [isReady, setReady] = createSignal(kept !== undefined)
  let changes = 0
  // The queue whose events the state has.
  let queueId = kept?.position.queueId
  let waiting: AnyEvent[] = []
  const change = (work: (state: ChatState) => void) => {
    changes++
    setState(produce(work))
  }
  const apply = () => {
    const events = waiting
    waiting = []
    if (events.length > 0)
      change(state => {
        for (const event of events) applyEvent(state, event, Date.now())
      })
  }
  return {
    state,
    isReady,
    change,
    changes: () => changes,
    take(event) {
      if (waiting.push(event) === 1) queueMicrotask(apply)
    },
    begin(answer) {
      apply()
      const fresh = stateFrom(answer)
      carryOver(unwrap(state), fresh)
      changes++
      setState(reconcile(plain(fresh), { merge: false }))
      setReady(true)
      queueId = String(answer.queue_id)
      return queueId
    },
    snapshot(position) {
      apply()
      if (!position || position.queueId !== queueId) return undefined
      return { position, savedAt: Date.now(), state: keptState(unwrap(state)) }
    },
  }
}
