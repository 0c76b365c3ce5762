import type { Ctx } from '../../ctx.js'
import { boolean } from '../../params/schemas.js'
import type { UserObjectOptions } from '../../presenters/user-object.js'

/** Parameters of every operation that returns users. */
export const userOptions = {
  client_gravatar: boolean()
    .default(true)
    .describe('The client computes the addresses of third-party pictures itself: their `avatar_url` is null.'),
  include_custom_profile_fields: boolean().default(false).describe('Whether users have profile_data.'),
}

/** The options for the wire form of the users in an answer. */
export function shownAs(
  ctx: Ctx,
  asked: { client_gravatar: boolean; include_custom_profile_fields: boolean },
): UserObjectOptions {
  return {
    publicUrl: ctx.publicUrl,
    realmHost: ctx.realmHost,
    clientGravatar: asked.client_gravatar,
    profileData: asked.include_custom_profile_fields,
    isActive: true,
  }
}
