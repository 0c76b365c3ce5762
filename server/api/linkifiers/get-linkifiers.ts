import { z } from 'zod'
import { linkifier } from '../../../shared/resources/linkifier.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const getLinkifiers = route({
  operation: 'get_linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  doc: 'Lists the linkifiers of the organization in the order in which they are applied.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ linkifiers: z.array(linkifier) }),
  errors: [],
  async handle({ ctx }) {
    await ctx.directory.fresh()
    return { linkifiers: ctx.directory.linkifiers.all }
  },
})
