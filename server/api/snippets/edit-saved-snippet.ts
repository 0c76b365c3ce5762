import { z } from 'zod'
import { editSnippet } from '../../actions/snippets/change-snippets.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { snippetContent, snippetId, snippetTitle } from './params.js'

export const editSavedSnippet = route({
  operation: 'edit_saved_snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  doc: 'Changes the title or the text of one of your saved snippets. Without either the request has no effect.',
  allow: anyAccount,
  params: z.object({
    saved_snippet_id: snippetId,
    title: snippetTitle.optional(),
    content: snippetContent.optional(),
  }),
  returns: z.object({}),
  errors: [['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { saved_snippet_id, ...change } }) {
    const isEmpty = change.title === undefined && change.content === undefined
    if (!isEmpty) await editSnippet(ctx, actor, saved_snippet_id, change)
    return {}
  },
})
