import { z } from 'zod'
import { createSnippet } from '../../actions/snippets/change-snippets.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { snippetContent, snippetTitle } from './params.js'

export const createSavedSnippet = route({
  operation: 'create_saved_snippet',
  method: 'POST',
  path: '/saved_snippets',
  doc: 'Saves a text for reuse. Only you see it. At most a thousand per user.',
  allow: anyAccount,
  params: z.object({ title: snippetTitle, content: snippetContent }),
  returns: z.object({ saved_snippet_id: z.int() }),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => createSnippet(ctx, actor, params),
      ({ id }) => ({ saved_snippet_id: id }),
    )
  },
})
