import { z } from 'zod'
import { anyAccount } from '../../policies/allow.js'
import { pictureUrl } from '../../presenters/organization-pictures.js'
import { Redirect, route } from '../route.js'

export const getRealmIcon = route({
  operation: 'get_realm_icon',
  method: 'GET',
  path: '/realm/icon',
  doc: 'Leads to the icon of the organization.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ location: z.string() }),
  errors: [],
  redirects: true,
  async handle({ ctx }) {
    await ctx.directory.fresh()
    return new Redirect(pictureUrl(ctx.directory.organization, 'icon'))
  },
})
