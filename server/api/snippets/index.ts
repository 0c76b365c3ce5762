import type { Route } from '../route.js'
import { createSavedSnippet } from './create-saved-snippet.js'
import { deleteSavedSnippet } from './delete-saved-snippet.js'
import { editSavedSnippet } from './edit-saved-snippet.js'
import { getSavedSnippets } from './get-saved-snippets.js'

export const snippetsRoutes: readonly Route[] = [
  getSavedSnippets,
  createSavedSnippet,
  editSavedSnippet,
  deleteSavedSnippet,
]
