import { z } from 'zod'
import { regenerateApiKey } from '../../actions/users/regenerate-api-key.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const regenerateOwnApiKey = route({
  operation: 'regenerate_own_api_key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  doc: 'Replaces your API key. The server rejects the former key from now on and closes sockets that were opened with it.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ api_key: z.string() }),
  errors: [],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx, actor }) {
    return { api_key: await regenerateApiKey(ctx, actor.user.id) }
  },
})
