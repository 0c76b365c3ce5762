import { z } from 'zod'
import { exampleMissing } from '../../actions/linkifiers/check.js'
import { addLinkifier as addToList } from '../../actions/linkifiers/edit-list.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { linkifierParams } from './params.js'

export const addLinkifier = route({
  operation: 'add_linkifier',
  method: 'POST',
  path: '/realm/filters',
  doc: 'Adds a linkifier: text in messages and topics that matches its pattern becomes a link. It is applied last. Administrators only.',
  allow: administrators,
  params: z.object(linkifierParams),
  requires: [{ when: { reverse_template: 'given' }, anyOf: ['example_input'], refusal: exampleMissing }],
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    const { example_input = null, reverse_template = null, alternative_url_templates = [], ...required } = params
    const linkifier = { ...required, example_input, reverse_template, alternative_url_templates }
    return creating(
      ctx => addToList(ctx, actor, linkifier),
      id => ({ id }),
    )
  },
})
