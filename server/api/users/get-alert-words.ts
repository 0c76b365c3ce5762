import { z } from 'zod'
import { currentUser } from '../../lookups/find-user.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { alertWordsAnswer } from './alert-words-param.js'

export const getAlertWords = route({
  operation: 'get_alert_words',
  method: 'GET',
  path: '/users/me/alert_words',
  doc: 'Lists your alert words in the order in which you added them.',
  allow: anyAccount,
  params: z.object({}),
  returns: alertWordsAnswer,
  errors: [],
  async handle({ ctx, actor }) {
    await ctx.directory.fresh()
    return { alert_words: [...currentUser(ctx.directory, actor.user).alert_words] }
  },
})
