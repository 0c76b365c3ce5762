import { z } from 'zod'
import { type SavedSnippet, savedSnippet } from '../resources/saved-snippet.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { saved_snippets?: SavedSnippet[] }

const fields = z.object({ saved_snippet: savedSnippet })

export const savedSnippetsAdd = defineEvent('saved_snippets/add', {
  doc: 'The receiver has saved a snippet.',
  fields,
  apply(state: State, event) {
    state.saved_snippets?.push(event.saved_snippet)
  },
})

export const savedSnippetsUpdate = defineEvent('saved_snippets/update', {
  doc: 'The receiver has changed a saved snippet; the event contains all its fields.',
  fields,
  apply(state: State, { saved_snippet: changed }) {
    state.saved_snippets = state.saved_snippets?.map(one => (one.id === changed.id ? changed : one))
  },
})

export const savedSnippetsRemove = defineEvent('saved_snippets/remove', {
  doc: 'The receiver has deleted a saved snippet.',
  fields: z.object({ saved_snippet_id: z.int() }),
  apply(state: State, event) {
    state.saved_snippets = state.saved_snippets?.filter(one => one.id !== event.saved_snippet_id)
  },
})
