import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { codePoints, limits } from '../../../shared/limits.js'
import { reportTypeKeys } from '../../../shared/resources/report-types.js'
import { reportMessage } from '../../actions/messages/report.js'
import { pathId, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const reportMessageRoute = route({
  operation: 'report_message',
  method: 'POST',
  path: '/messages/{message_id}/report',
  doc: "Tell the organization's moderators of a message, in the channel that is set for that.",
  allow: anyAccount,
  params: z.object({
    message_id: pathId().describe('The message.'),
    report_type: word(...reportTypeKeys).describe('Why: a key of `server_report_message_types`.'),
    description: text(2 * limits.report_description_length)
      .refine(
        description => codePoints(description) <= limits.report_description_length,
        `Longer than ${limits.report_description_length} characters.`,
      )
      .default('')
      .describe('What you have to say about it. Required for the type `other`.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { message_id, report_type, description } }) {
    if (report_type === 'other' && description.trim() === '') {
      throw badRequest('An explanation is required for reports of this type.')
    }
    await reportMessage(ctx, actor, message_id, report_type, description.trim())
    return {}
  },
})
