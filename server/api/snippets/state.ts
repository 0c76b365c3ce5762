import { z } from 'zod'
import { savedSnippet } from '../../../shared/resources/saved-snippet.js'
import { readSavedSnippets } from '../../store/personal/saved-snippets.js'
import type { StatePiece } from '../state-piece.js'

export const savedSnippetsPiece: StatePiece = {
  fetchType: 'saved_snippets',
  fields: { saved_snippets: z.array(savedSnippet) },
  selects: [readSavedSnippets],
  read: async ({ actor, rows }) => ({ saved_snippets: actor ? rows.of(readSavedSnippets) : [] }),
}
