import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { testWelcome } from '../../actions/joining/test-welcome.js'
import { text } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const testWelcomeBotMessage = route({
  operation: 'test_welcome_bot_message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  doc: 'Sends you a welcome message as new people would get it from the welcome bot. Changes no setting. Administrators only.',
  allow: administrators,
  params: z.object({
    welcome_message_custom_text: text(
      limits.welcome_message_length,
      `Longer than ${limits.welcome_message_length} characters.`,
    ).describe('Markdown.'),
  }),
  returns: z.object({ message_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    return { message_id: await testWelcome(ctx, actor, params.welcome_message_custom_text) }
  },
})
