import { z } from 'zod'
import { removeOrganizationPicture } from '../../actions/pictures/organization-pictures.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteRealmIcon = route({
  operation: 'delete_realm_icon',
  method: 'DELETE',
  path: '/realm/icon',
  doc: 'Returns to the default icon. Administrators only.',
  allow: administrators,
  params: z.object({}),
  returns: z.object({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor }) {
    return { icon_url: await removeOrganizationPicture(ctx, actor, 'icon') }
  },
})
