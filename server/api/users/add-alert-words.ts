import { z } from 'zod'
import { addAlertWords as add } from '../../actions/users/change-alert-words.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { alertWordsAnswer, alertWordsParam } from './alert-words-param.js'

export const addAlertWords = route({
  operation: 'add_alert_words',
  method: 'POST',
  path: '/users/me/alert_words',
  doc: 'Adds alert words: later messages that contain one of them have the flag `has_alert_word` for you.',
  allow: anyAccount,
  params: z.object({ alert_words: alertWordsParam.describe('Words that you have already, in any letter case, stay.') }),
  returns: alertWordsAnswer,
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    return { alert_words: await add(ctx, actor, params.alert_words) }
  },
})
