import { z } from 'zod'
import { deleteSnippet } from '../../actions/snippets/change-snippets.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { snippetId } from './params.js'

export const deleteSavedSnippet = route({
  operation: 'delete_saved_snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  doc: 'Deletes one of your saved snippets.',
  allow: anyAccount,
  params: z.object({ saved_snippet_id: snippetId }),
  returns: z.object({}),
  errors: [['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { saved_snippet_id } }) {
    await deleteSnippet(ctx, actor, saved_snippet_id)
    return {}
  },
})
