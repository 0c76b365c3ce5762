import type { SavedSnippet } from '../resources/saved-snippet.js'
import { defineEvent } from './event.js'

type State = { saved_snippets?: SavedSnippet[] }

export interface SavedSnippetPayload {
  readonly saved_snippet: SavedSnippet
}

export const savedSnippetsAdd = defineEvent<SavedSnippetPayload>('saved_snippets/add', {
  doc: 'The receiver has saved a snippet.',
  apply(state: State, event) {
    state.saved_snippets?.push(event.saved_snippet as SavedSnippet)
  },
})

export const savedSnippetsUpdate = defineEvent<SavedSnippetPayload>('saved_snippets/update', {
  doc: 'The receiver has changed a saved snippet: as it is now.',
  apply(state: State, event) {
    const changed = event.saved_snippet as SavedSnippet
    state.saved_snippets = state.saved_snippets?.map(one => (one.id === changed.id ? changed : one))
  },
})

export const savedSnippetsRemove = defineEvent<{ readonly saved_snippet_id: number }>('saved_snippets/remove', {
  doc: 'The receiver has deleted a saved snippet.',
  apply(state: State, event) {
    state.saved_snippets = state.saved_snippets?.filter(one => one.id !== event.saved_snippet_id)
  },
})
