import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import { withConditions } from '../../params/conditions.js'
import { cutText, idNumber, listWithRepeats, pathId, storableText } from '../../params/schemas.js'

// The year 9999.
const latestSecond = 253_402_300_799

export const draftId = pathId().describe('The draft.')

const draft = z.strictObject({
  type: z.enum(['', 'private', 'stream']).describe('Empty: no recipient yet.'),
  to: listWithRepeats(idNumber, budgets.recipients.most).describe(
    'Of `stream` one channel, of `private` users, otherwise without a meaning.',
  ),
  topic: storableText(budgets.textCharacters.most),
  content: cutText().describe('Markdown source.'),
  timestamp: z.number().min(0).max(latestSecond).optional().describe('The last edit in UNIX seconds; default: now.'),
})

export const givenDraft = withConditions(draft, [
  {
    when: { type: ['stream'] },
    holds: { to: z.array(idNumber).length(1).describe('a list of one channel') },
    refusal: () => badRequest('Must specify exactly 1 channel ID'),
  },
]).describe('A message that is not sent yet.')
