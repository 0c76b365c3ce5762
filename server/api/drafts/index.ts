import type { Route } from '../route.js'
import { createDrafts } from './create-drafts.js'
import { deleteDraft } from './delete-draft.js'
import { editDraft } from './edit-draft.js'
import { getDrafts } from './get-drafts.js'

export const draftsRoutes: readonly Route[] = [getDrafts, createDrafts, editDraft, deleteDraft]
