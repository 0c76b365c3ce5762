import { z } from 'zod'
import { addPlayground as addToList } from '../../actions/organization-lists/playgrounds.js'
import { text } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

const filled = (most: number) =>
  text(most)
    .transform(value => value.trim())
    .meta({ minLength: 1, maxLength: most })

export const addPlayground = route({
  operation: 'add_playground',
  method: 'POST',
  path: '/realm/playgrounds',
  doc: 'Adds a website that runs code: clients offer it beside code blocks of the language. Administrators only.',
  allow: administrators,
  params: z.object({
    name: filled(100).describe('Its name; another than that of the other playgrounds of the language.'),
    pygments_language: filled(40).describe(
      'The language as code blocks name it: letters, digits, spaces and `_ + - . # * /`.',
    ),
    url_template: filled(2048).describe(
      'RFC 6570 template of its address, which begins with `http://` or `https://`. Its only variable is `code`.',
    ),
  }),
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => addToList(ctx, actor, params),
      id => ({ id }),
    )
  },
})
