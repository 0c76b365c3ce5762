import { z } from 'zod'
import { setOrganizationPicture } from '../../actions/pictures/organization-pictures.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const uploadRealmIcon = route({
  operation: 'upload_realm_icon',
  method: 'POST',
  path: '/realm/icon',
  doc: 'Makes the one picture of a multipart form, at most 5 MiB, the icon of the organization. Administrators only.',
  allow: administrators,
  params: z.object({}),
  returns: z.object({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST', 'BAD_IMAGE'],
  file: 'bytes',
  largeBody: mostPictureBody,
  isAdministrative: true,
  async handle({ ctx, actor, files, signal }) {
    return { icon_url: await setOrganizationPicture(ctx, actor, { kind: 'icon', files, signal }) }
  },
})
