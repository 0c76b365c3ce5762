import { z } from 'zod'
import { removeAlertWords as remove } from '../../actions/users/change-alert-words.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { alertWordsAnswer, alertWordsParam } from './alert-words-param.js'

export const removeAlertWords = route({
  operation: 'remove_alert_words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  doc: 'Removes alert words. Messages keep their flags.',
  allow: anyAccount,
  params: z.object({ alert_words: alertWordsParam.describe('In any letter case; unknown words have no effect.') }),
  returns: alertWordsAnswer,
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    return { alert_words: await remove(ctx, actor, params.alert_words) }
  },
})
