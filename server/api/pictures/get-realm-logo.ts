import { z } from 'zod'
import { boolean } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { pictureUrl } from '../../presenters/organization-pictures.js'
import { Redirect, route } from '../route.js'

export const getRealmLogo = route({
  operation: 'get_realm_logo',
  method: 'GET',
  path: '/realm/logo',
  doc: 'Leads to a logo of the organization.',
  allow: anyAccount,
  params: z.object({ night: boolean().describe('The logo for dark colours.') }),
  returns: z.object({ location: z.string() }),
  errors: [],
  redirects: true,
  async handle({ ctx, params }) {
    await ctx.directory.fresh()
    return new Redirect(pictureUrl(ctx.directory.organization, params.night ? 'night_logo' : 'logo'))
  },
})
