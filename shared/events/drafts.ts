import { z } from 'zod'
import { type Draft, draft } from '../resources/draft.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { drafts?: Draft[] }

const newestFirst = (a: Draft, b: Draft): number => b.timestamp - a.timestamp || b.id - a.id

export const draftsAdd = defineEvent('drafts/add', {
  doc: 'The receiver has new drafts.',
  fields: z.object({ drafts: z.array(draft) }),
  apply: applyDraftsAdd,
})

export const draftsUpdate = defineEvent('drafts/update', {
  doc: 'The receiver has changed a draft; the event contains all its fields.',
  fields: z.object({ draft }),
  apply: applyDraftsUpdate,
})

export const draftsRemove = defineEvent('drafts/remove', {
  doc: 'The receiver has deleted a draft.',
  fields: z.object({ draft_id: z.int() }),
  apply: applyDraftsRemove,
})

export function applyDraftsAdd(state: State, event: { drafts: Draft[] }): void {
  state.drafts = state.drafts && [...state.drafts, ...event.drafts].sort(newestFirst)
}

export function applyDraftsUpdate(state: State, { draft: changed }: { draft: Draft }): void {
  state.drafts = state.drafts?.map(one => (one.id === changed.id ? changed : one)).sort(newestFirst)
}

export function applyDraftsRemove(state: State, event: { draft_id: number }): void {
  state.drafts = state.drafts?.filter(one => one.id !== event.draft_id)
}
