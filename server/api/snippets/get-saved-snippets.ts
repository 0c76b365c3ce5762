import { z } from 'zod'
import { savedSnippet } from '../../../shared/resources/saved-snippet.js'
import { anyAccount } from '../../policies/allow.js'
import { readSavedSnippets } from '../../store/personal/saved-snippets.js'
import { route } from '../route.js'

export const getSavedSnippets = route({
  operation: 'get_saved_snippets',
  method: 'GET',
  path: '/saved_snippets',
  doc: 'Lists your saved snippets, oldest first.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ saved_snippets: z.array(savedSnippet) }),
  errors: [],
  async handle({ ctx, actor }) {
    return { saved_snippets: await readSavedSnippets(ctx.sql, actor.user.id) }
  },
})
