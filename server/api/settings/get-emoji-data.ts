import { z } from 'zod'
import { emojiData } from '../../text/emoji.js'
import { JsonFields, route } from '../route.js'

// 85 kB of text that never changes while the process runs.
const fields = JSON.stringify(emojiData()).slice(1, -1)

export const getEmojiData = route({
  operation: 'get_emoji_data',
  method: 'GET',
  path: '/emoji_data',
  doc: 'Returns the names of all Unicode emoji; `server_emoji_data_url` of the register answer is its address.',
  allow: 'anyone',
  params: z.object({}),
  returns: z.object({ code_to_names: z.record(z.string(), z.array(z.string())).describe('Code points to names.') }),
  errors: [],
  async handle() {
    return new JsonFields(fields)
  },
})
