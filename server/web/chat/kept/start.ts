import type { Session } from '../../sign-in/session.js'
import type { Kept } from '../../state/kept.js'
import { claimQueue } from './claim-queue.js'
import { KeptStore } from './kept-state.js'

/** How the page begins: with nothing, or with the state that an earlier window kept. */
export interface Start {
  readonly store: KeptStore
  readonly kept: Kept | undefined
  /** Whether this window may continue the queue of the kept state. Otherwise it registers a queue of its own. */
  readonly mayResume: boolean
  /** Gives the queue back. */
  release(): void
}

/** Reads what an earlier window kept, and claims its queue. */
export async function readStart(session: Session): Promise<Start> {
  const store = new KeptStore(session)
  const kept = await store.read()
  const release = kept && (await claimQueue(kept.position.queueId))
  return { store, kept, mayResume: release !== undefined, release: release ?? (() => {}) }
}
