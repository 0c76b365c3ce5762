import { z } from 'zod'
import { setOrganizationPicture } from '../../actions/pictures/organization-pictures.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { boolean } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const uploadRealmLogo = route({
  operation: 'upload_realm_logo',
  method: 'POST',
  path: '/realm/logo',
  doc: 'Makes the one picture of a multipart form, at most 5 MiB, a logo of the organization. Administrators only.',
  allow: administrators,
  params: z.object({ night: boolean().describe('The logo for dark colours.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST', 'BAD_IMAGE'],
  file: 'bytes',
  largeBody: mostPictureBody,
  isAdministrative: true,
  async handle({ ctx, actor, params, files, signal }) {
    await setOrganizationPicture(ctx, actor, { kind: params.night ? 'night_logo' : 'logo', files, signal })
    return {}
  },
})
