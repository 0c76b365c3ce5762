import { z } from 'zod'
import { removeOrganizationPicture } from '../../actions/pictures/organization-pictures.js'
import { boolean } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteRealmLogo = route({
  operation: 'delete_realm_logo',
  method: 'DELETE',
  path: '/realm/logo',
  doc: 'Returns to the default logo. Administrators only.',
  allow: administrators,
  params: z.object({ night: boolean().describe('The logo for dark colours.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await removeOrganizationPicture(ctx, actor, params.night ? 'night_logo' : 'logo')
    return {}
  },
})
